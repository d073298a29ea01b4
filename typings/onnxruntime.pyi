from collections.abc import Mapping, Sequence
from os import PathLike

import numpy as np
from numpy.typing import NDArray

class NodeArg:
    name: str
    shape: list[int | str | None]

class SessionOptions:
    intra_op_num_threads: int
    inter_op_num_threads: int
    log_severity_level: int
    def add_session_config_entry(self, key: str, value: str) -> None: ...

class InferenceSession:
    def __init__(
        self,
        path_or_bytes: bytes | str | PathLike[str],
        sess_options: SessionOptions | None = None,
        providers: Sequence[str] | None = None,
        *,
        disabled_optimizers: Sequence[str] = (),
    ) -> None: ...
    def get_inputs(self) -> list[NodeArg]: ...
    def get_outputs(self) -> list[NodeArg]: ...
    def run(
        self,
        output_names: Sequence[str] | None,
        input_feed: Mapping[str, NDArray[np.int64]] | Mapping[str, NDArray[np.float32]],
    ) -> list[NDArray[np.float32]]: ...
