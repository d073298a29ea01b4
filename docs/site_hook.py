"""Makes the site of what is in the tree: pages beside `docs`, and every page of a folder, listed nowhere."""

import re
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
# Pages of the tree that stand beside `docs`.
BESIDE = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")


def on_config(config: Any) -> Any:
    """Put the pages of a folder in place of `folder/` in the navigation, in the order of its README."""
    config.nav = [_expanded(Path(config.docs_dir), each) for each in config.nav]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Take in the pages that stand beside the folder."""
    for name in BESIDE:
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn links that leave the folder: to the pages taken in; of files of the code the words stay."""
    place = PurePosixPath(page.file.src_uri)
    folder = PurePosixPath() if place.name in BESIDE and place.parent == PurePosixPath() else None
    start = folder if folder is not None else PurePosixPath("docs") / place.parent
    up = "../" * len(place.parent.parts)

    def turned(found: re.Match[str]) -> str:
        text, target, anchor = found["text"], found["target"], found["anchor"] or ""
        if "://" in target or not target:
            return found[0]
        there = _joined(start / target)
        if there.startswith("docs/"):
            return f"{text}({up}{there.removeprefix('docs/')}{anchor})"
        return f"{text}({up}{there}{anchor})" if there in BESIDE else text.removeprefix("!")

    return re.sub(
        r"(?P<text>!?\[[^\]]*\])\((?P<target>[^)#\s]*)(?P<anchor>#[^)\s]*)?\)", turned, markdown
    )


def _joined(path: PurePosixPath) -> str:
    """A path without `..` in it; a folder's is that of its README."""
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    joined = "/".join(parts)
    return f"{joined}/README.md" if (ROOT / joined / "README.md").is_file() and parts else joined


def _expanded(docs: Path, entry: Any) -> Any:
    if isinstance(entry, dict):
        return {title: _expanded(docs, inner) for title, inner in entry.items()}
    if isinstance(entry, list):
        inner = [_expanded(docs, each) for each in entry]
        return [one for each in inner for one in (each if isinstance(each, list) else [each])]
    if not entry.endswith("/"):
        return entry
    readme = (docs / entry / "README.md").read_text("utf-8")
    pages = sorted(path.name for path in (docs / entry).glob("*.md") if path.name != "README.md")
    pages.sort(key=lambda name: readme.find(f"({name})") % (len(readme) + 1))
    return [f"{entry}{name}" for name in ("README.md", *pages)]
