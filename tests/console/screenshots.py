"""Takes the pictures of the README from a fresh installation with the sample companies.

    make screenshots

Starts `sightline up` in a folder of its own, enriches sample companies, signs in by the printed link, and
photographs two pages with Debian's Chromium (CHROMIUM names another one). With a folder as argument it takes
every page instead, at three widths and in both themes.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from sightline.console.site import PAGES
from tests.waiting import free_port

FOLDER = Path(__file__).parents[2] / "docs" / "images"
COMPANY = "copperline-storage.example"
WIDTH, HEIGHT = 1280, 800
MOST_BYTES = 150_000
WIDTHS = (390, 820, 1440)


def main() -> None:
    browser = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if browser is None:
        sys.exit("No Chromium on this machine; apt-get install chromium.")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="sightline-pictures-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        environment = os.environ | {"SIGHTLINE_DATA_DIR": str(folder / "data")}
        command = [sys.executable, "-m", "sightline"]
        running = subprocess.Popen(
            [*command, "up", "--port", str(free_port())],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            link = _link(running)
            subprocess.run([*command, "enrich", COMPANY], env=environment, check=True)
            _wait_for_all([*command, "operations", "--json"], environment)
            every = Path(sys.argv[1]) if len(sys.argv) > 1 else None
            with sync_playwright() as playwright:
                # Root needs the flag; nothing but our own pages is opened.
                opened = playwright.chromium.launch(
                    executable_path=browser, args=["--no-sandbox"] if os.geteuid() == 0 else []
                )
                page = _sign_in(opened, link)
                base = f"{link.partition('/console/')[0]}/console"
                if every is not None:
                    _take_every(
                        page,
                        base,
                        every,
                        (folder / "data" / "secrets" / "api-key").read_text().strip(),
                    )
                else:
                    _take_some(page, base)
                opened.close()
        finally:
            running.terminate()
            running.wait()


def _link(running: "subprocess.Popen[str]") -> str:
    """The link that `up` prints when it is ready."""
    assert running.stdout is not None
    for line in running.stdout:
        if found := re.search(r"http://\S+/console/link/\S+", line):
            return found[0]
    sys.exit("Sightline did not start.")


def _wait_for_all(command: list[str], environment: dict[str, str]) -> None:
    """Until the enrichments of all sample companies have ended."""
    while True:
        told = subprocess.run(command, env=environment, check=True, capture_output=True).stdout
        if not any(row["status"] in ("queued", "running") for row in json.loads(told)):
            return


def _sign_in(browser: Browser, link: str) -> Page:
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
    page.goto(link)
    page.locator("button[type=submit]").first.click()
    page.wait_for_url(lambda url: "/link/" not in url)
    return page


def _take_some(page: Page, base: str) -> None:
    """The pictures of the README, each small enough for it."""
    page.goto(f"{base}/accounts")
    _take(page, FOLDER / "accounts.png")
    _open_company(page, base)
    _take(page, FOLDER / "company.png")
    for picture in FOLDER.glob("*.png"):
        if picture.stat().st_size > MOST_BYTES:
            sys.exit(f"{picture} has {picture.stat().st_size:,} bytes, more than {MOST_BYTES:,}.")


def _take_every(page: Page, base: str, folder: Path, key: str) -> None:
    """Every page; one with an id in its address is the first that a page above it leads to."""
    folder.mkdir(parents=True, exist_ok=True)
    _fill(base, key)
    company = _open_company(page, base).rpartition("/")[2]
    for path in (path for method, path, _, _ in PAGES if method == "GET"):
        if path.endswith(("/logo", "/problems")) or path in ("/find", "/documents/{document_id}"):
            continue  # no page of its own
        name = re.sub(r"\{[^}]+\}", "one", path).strip("/").replace("/", "-")
        at = _first(page, base, path.replace("{company_id}", company))
        if at is None:
            print(f"Nothing leads to {path}")
            continue
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.goto(at)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": HEIGHT})
                _take(page, folder / f"{name}-{scheme}-{width}.png", whole=True)


def _first(page: Page, base: str, path: str) -> str | None:
    """The address of a page; where it has an id, the first of its form that the page above links to."""
    if "{" not in path:
        return base + path
    page.goto(base + path.partition("/{")[0])
    wanted = re.compile(re.sub(r"\\{[^}]+\\}", "[0-9a-z-]{10,}", re.escape(path)) + r"(\?|$)")
    links = page.locator("a[href]").evaluate_all("each => each.map(one => one.href)")
    return next((link for link in links if wanted.match(link.removeprefix(base))), None)


def _fill(base: str, key: str) -> None:
    """What the sample does not have and a person makes: a contact, a list, a territory and a webhook."""
    rule = {"and": [{"field": "country", "op": "eq", "value": "US"}]}
    for path, body in (
        ("contacts", {"full_name": "Mira Tanaka", "current_job_title": "Vice President, Sales",
                      "emails": ["mira@copperline-storage.example"],
                      "company": {"name": "Copperline Storage", "domain": COMPANY}}),
        ("lists", {"name": "US accounts", "filter": rule}),
        ("territories", {"name": "United States", "rules": rule}),
        ("webhooks", {"url": "https://hooks.example.com/sightline"}),
    ):  # fmt: skip
        request = urllib.request.Request(
            f"{base.removesuffix('/console')}/public-api/v1/{path}",
            data=json.dumps(body).encode(),
            headers={"x-api-key": key, "content-type": "application/json"},
        )
        try:
            urllib.request.urlopen(request).close()
        except urllib.error.HTTPError as error:
            print(path, error.read().decode())


def _open_company(page: Page, base: str) -> str:
    page.goto(f"{base}/accounts?q=copperline")
    page.get_by_role("link", name="Copperline Storage").first.click()
    page.wait_for_load_state("networkidle")
    return page.url


def _take(page: Page, path: Path, *, whole: bool = False) -> None:
    page.wait_for_load_state("networkidle")
    page.screenshot(path=path, full_page=whole)
    print(f"Wrote {path}")


if __name__ == "__main__":
    main()
