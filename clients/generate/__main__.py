"""Writes the generated parts of both clients from `openapi.json`.

`make docs` runs it; by hand: python clients/generate. It needs the standard library alone.
"""

import json
from pathlib import Path
from typing import Final

import python_client as python
import typescript_client as typescript
from api_description import NOTE, Schema, version

PYTHON: Final = Path("clients/python/src/sightline_client/generated")
TYPESCRIPT: Final = Path("clients/typescript/generated")


def files(document: Schema) -> dict[str, bytes]:
    """Every generated file by its path below the root of the tree."""
    package = {
        "name": "sightline-client",
        "version": version(document),
        "description": "Client of the Sightline API",
        "license": "Apache-2.0",
        "type": "module",
        "engines": {"node": ">=20"},
        "exports": {
            ".": {"types": "./client.d.ts", "default": "./client.js"},
            "./webhooks": {"types": "./webhooks.d.ts", "default": "./webhooks.js"},
        },
        "files": ["*.js", "*.d.ts", "generated", "README.md"],
    }
    found = {
        PYTHON / "version.py": f'"""{NOTE}"""\n\n__version__ = "{version(document)}"\n',
        PYTHON / "types.py": python.python_types(document),
        PYTHON / "resources.py": python.python_resources(document, is_async=False),
        PYTHON / "async_resources.py": python.python_resources(document, is_async=True),
        PYTHON / "attached.py": python.python_clients(document),
        TYPESCRIPT / "types.d.ts": typescript.typescript_types(document),
        TYPESCRIPT / "resources.d.ts": typescript.typescript_resources(document),
        TYPESCRIPT / "operations.js": typescript.javascript_operations(document),
        TYPESCRIPT.parent / "package.json": json.dumps(package, indent=2) + "\n",
    }
    return {path.as_posix(): text.encode() for path, text in found.items()}


def main() -> None:
    """Write all files of the tree that this script stands in."""
    root = Path(__file__).resolve().parents[2]
    for name, content in files(json.loads((root / "openapi.json").read_text("utf-8"))).items():
        (root / name).write_bytes(content)


if __name__ == "__main__":
    main()
