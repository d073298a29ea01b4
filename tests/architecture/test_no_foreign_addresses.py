"""The tree installs from whatever registry a machine is set up for, and names no machine."""

from pathlib import Path

import pytest

# Put together from halves, so that this file passes its own test.
REGISTRY_HOSTS = [
    "py" + "pi.org",
    "python" + "hosted.org",
    "registry." + "npmjs",
    "conda." + "anaconda.org",
    "download." + "pytorch.org",
    "docker" + ".io",
    "ghcr" + ".io",
]
MACHINE_PATHS = ["/work" + "/main", "/work" + "/shared", "/tmp" + "/bash_jobs", "/opt" + "/wheels"]


@pytest.mark.parametrize("text", [*REGISTRY_HOSTS, *MACHINE_PATHS])
def test_no_file_names(text: str, root: Path, project_files: list[Path]) -> None:
    needle = text.encode()
    named = [str(path.relative_to(root)) for path in project_files if needle in path.read_bytes()]
    assert named == []
