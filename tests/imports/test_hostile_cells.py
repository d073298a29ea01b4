"""What strangers write into cells and files is read in time that grows with its size and no faster."""

import pytest

from sightline.kit.sandbox.pool import Sandbox
from tests.imports.hostile_cells import CALLS, slow_cells
from tests.sources.hostile_shapes import SHAPES

SIZE = 20_000


@pytest.fixture(scope="module")
def sandbox() -> object:
    made = Sandbox(size=1, modules=("tests.imports.hostile_cells",))
    yield made
    made.close()


@pytest.mark.parametrize("name", CALLS)
def test_hostile_shapes_take_linear_time(sandbox: Sandbox, name: str) -> None:
    assert len(SHAPES) >= 30
    assert not sandbox.call(slow_cells, name, SIZE, cpu_seconds=60.0)
