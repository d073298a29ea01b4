"""The TypeScript client under Node against the real application; its types where a compiler is at hand."""

import asyncio
import json
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from standardwebhooks import Webhook

from sightline.store.credits import grant
from sightline.store.database import Database
from tests.api.accounts_data import add_accounts
from tests.clients.test_examples import ROOT, examples
from tests.conftest import Tenant
from tests.waiting import LONGEST_SECONDS

CLIENT = ROOT / "clients" / "typescript"
LEAST_NODE = 20
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@pytest.fixture
def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("NOT RUN: Node is not installed, so the TypeScript client was not tried.")
    shown = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    if int(shown.lstrip("v").split(".")[0]) < LEAST_NODE:
        pytest.skip(f"NOT RUN: Node is older than {LEAST_NODE}, so the client was not tried.")
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder of a user who installed the client."""
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "sightline-client").symlink_to(CLIENT)
    return tmp_path


async def run(project: Path, *words: str, **environment: str) -> str:
    def program() -> str:
        done = subprocess.run(
            words,
            cwd=project,
            capture_output=True,
            text=True,
            env={"PATH": "/usr/bin:/bin", **environment},
            timeout=LONGEST_SECONDS,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return await asyncio.to_thread(program)


@pytest.fixture
async def environment(url: str, tenant: Tenant, database: Database) -> dict[str, str]:
    async with database.tenant(tenant.organization_id) as connection:
        await grant(connection, credit="company", amount=1, reason="test")
    return {"SIGHTLINE_URL": url, "SIGHTLINE_API_KEY": tenant.key}


async def test_it_does_under_node_what_the_python_client_does(
    node: str, project: Path, environment: dict[str, str], tenant: Tenant, database: Database
) -> None:
    rows = [{"company_name": f"Harbor {number:02}"} for number in range(7)]
    await add_accounts(database, tenant.organization_id, rows)
    shutil.copy(Path(__file__).parent / "client.test.mjs", project)
    body, now = json.dumps({"type": "alert", "data": {"title": "Größe"}}), datetime.now(UTC)
    headers = {
        "webhook-id": "msg_1",
        "Webhook-Timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(SECRET).sign("msg_1", now, body),
    }
    signed = json.dumps({"body": body, "secret": SECRET, "headers": headers})
    shown = await run(project, node, "--test", "client.test.mjs", SIGNED=signed, **environment)
    assert "# fail 0" in shown


async def test_the_example_of_the_page_runs(
    node: str, project: Path, environment: dict[str, str], tenant: Tenant, database: Database
) -> None:
    rows = [{"company_name": "Hafen Analytics", "country_code": "DE"}, {"company_name": "Acme"}]
    await add_accounts(database, tenant.organization_id, rows)
    (example,) = examples("typescript")
    example = example.replace("timeout: 600_000", "timeout: 0")  # no one works the queue here
    (project / "example.mjs").write_text(
        example.replace("await client.operations.wait", "await wait")
        + "\nasync function wait(id, given) {\n"
        "  return client.operations.wait(id, given).catch((error) => error.operation);\n}\n"
    )
    shown = (await run(project, node, "example.mjs", **environment)).splitlines()
    assert shown[0].endswith(" Hafen Analytics")
    assert shown[1:] == ["1 company", "queued null"]


async def test_its_types_fit_the_example(node: str, project: Path) -> None:
    compiler = shutil.which("tsc")
    if compiler is None:
        pytest.skip("NOT RUN: tsc is not on the path, so the declarations were not compiled.")
    (example,) = examples("typescript")
    (project / "example.ts").write_text(example)
    words = "--noEmit --strict --target es2022 --module nodenext --lib es2022,dom,dom.asynciterable"
    (project / "package.json").write_text('{"type": "module"}')
    await run(project, node, compiler, *words.split(), "example.ts")
    wrong = example.replace('country: "DE"', "contry: 1").replace("price.amount", "price.prise")
    (project / "wrong.ts").write_text(wrong)
    with pytest.raises(AssertionError) as reported:
        await run(project, node, compiler, *words.split(), "wrong.ts")
    assert "contry" in str(reported.value)
    assert "prise" in str(reported.value)
