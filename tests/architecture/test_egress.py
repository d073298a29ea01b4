"""Every outgoing socket passes one judgement of addresses: few files may open any, each for a reason."""

import re
from pathlib import Path

# File below src/sightline -> what it opens, and why nothing that a tenant names can be reached by it.
OPENERS = {
    "kit/fetch/live.py": "the web and webhooks, over the judging backend",
    "kit/fetch/resolver.py": "the judging itself",
    "monitor/mail.py": "mail, over kit.fetch.resolver.connect",
    "reading/server_encoder.py": "the operator's embedding server, by the settings alone",
    "mcp/remote.py": "the server that a person's own command names",
    "cli/door.py": "the server that SIGHTLINE_URL of the person at the command line names",
    "cli/address.py": "this process's own API, on the address of the settings",
}
OPENS = re.compile(
    r"^\s*(?:import|from)\s+(?:httpx2?|httpcore|smtplib|ftplib|imaplib|poplib|telnetlib|aiohttp|requests"
    r"|urllib3|websockets|http\.client|urllib\.request|xmlrpc\.client)\b"
    r"|\b(?:create_connection|open_connection|sock_connect)\(",
    re.MULTILINE,
)


def test_only_these_files_open_sockets(root: Path) -> None:
    source = root / "src/sightline"
    found = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if OPENS.search(path.read_text("utf-8"))
    }
    assert found == set(OPENERS)
