"""Writes the table of tools for agents into docs/howto/agents.md, with the sizes of answers as they are.

    .venv/bin/python -m tests.tools.tool_sizes

Starts `sightline up` in a folder of its own, enriches a sample company, and calls every tool by the official
client, as an agent would.
"""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.waiting import free_port

PAGE: Final = Path(__file__).parents[2] / "docs/howto/agents.md"
COMPANY: Final = "copperline-storage.example"
ROW: Final = re.compile(r"\| `(\w+)` \| ([^|]*?) \|(?: [^|]* \|)?")


def arguments(company_id: str) -> dict[str, dict[str, Any]]:
    """What each tool is asked."""
    company = {"company_id": company_id}
    return {
        "find_accounts": {},
        "get_company": company,
        "get_brief": company,
        "get_profile": company | {"sections": ["risks", "executives"]},
        "search_evidence": {"query": "who is opening a new site?"},
        "list_changes": company,
        "list_jobs": company,
        "find_contacts": {"company_ids": [company_id]},
        "ask": company | {"question": "What are their risks?"},
        "enrich_company": {"domain": COMPANY},
        "get_operation": {"operation_id": company_id},
    }


async def sizes(environment: dict[str, str]) -> dict[str, int]:
    """Characters of each tool's answer."""
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "sightline", "mcp"], env=environment
    )
    found = {}
    async with Client(stdio_client(server)) as agent:
        accounts = await agent.call_tool("find_accounts", {"name": COMPANY})
        company_id = accounts.structured_content["accounts"][0]["company_id"]
        for name, given in arguments(company_id).items():
            result = await agent.call_tool(name, given)
            found[name] = len(result.content[0].text)
    return found


def with_sizes(text: str, found: dict[str, int]) -> str:
    """The page with the size in each row of the table."""
    text = re.sub(
        r"\| tool \|.*\n\|---.*\n", "| tool | what it does | characters |\n|---|---|---|\n", text
    )
    return ROW.sub(lambda row: f"| `{row[1]}` | {row[2]} | {found[row[1]]:,} |", text)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="sightline-tools-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        environment = dict(os.environ) | {"SIGHTLINE_DATA_DIR": str(folder / "data")}
        command = [sys.executable, "-m", "sightline"]
        running = subprocess.Popen(
            [*command, "up", "--port", str(free_port())],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        try:
            assert running.stdout is not None
            next(line for line in running.stdout if "http" in line)
            subprocess.run([*command, "enrich", COMPANY], env=environment, check=True)
            found = asyncio.run(sizes(environment))
        finally:
            running.terminate()
            running.wait()
    PAGE.write_text(with_sizes(PAGE.read_text("utf-8"), found), "utf-8")
    print(found)


if __name__ == "__main__":
    main()
