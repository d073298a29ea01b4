"""Takes the pictures of the README from a fresh installation with the sample companies.

    make screenshots

Starts `sightline up` in a folder of its own, enriches sample companies, signs in by the printed link, and
photographs two pages with Debian's Chromium (CHROMIUM names another one). With a folder as argument it takes
every page instead, at three widths and in both themes. With --axe it takes no pictures: it exits 1 when axe
finds something on a page, at a width or in a theme, or something sticks out at the side.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.console.axe import IS_WIDER, SCRIPT, THEME, WIDTHS, asking, looks, paths, read
from tests.waiting import free_port

FOLDER = Path(__file__).parents[2] / "docs" / "images"
COMPANY = "copperline-storage.example"
WIDTH, HEIGHT = 1280, 800
MOST_BYTES = 150_000


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
        poor: list[str] = []
        try:
            link = _link(running)
            subprocess.run([*command, "enrich", COMPANY], env=environment, check=True)
            _wait_for_all([*command, "operations", "--json"], environment)
            asked = sys.argv[1] if len(sys.argv) > 1 else None
            with sync_playwright() as playwright:
                # Root needs the flag; nothing but our own pages is opened.
                opened = playwright.chromium.launch(
                    executable_path=browser, args=["--no-sandbox"] if os.geteuid() == 0 else []
                )
                page = _sign_in(opened, link)
                base = f"{link.partition('/console/')[0]}/console"
                if asked is None:
                    _take_some(page, base)
                else:
                    _fill(base, (folder / "data" / "secrets" / "api-key").read_text().strip())
                    every = _every(page, base)
                    if asked == "--axe":
                        poor = _look_at_every(page, every)
                    else:
                        _take_every(page, every, Path(asked))
                opened.close()
        finally:
            running.terminate()
            running.wait()
    if poor:
        sys.exit("\n".join(poor))


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


def _every(page: Page, base: str) -> dict[str, str]:
    """Path -> address of every page; one with an id is the first that a page above it leads to."""
    company = _open_company(page, base).rpartition("/")[2]
    found = {path: _first(page, base, path.replace("{company_id}", company)) for path in paths()}
    for path, at in found.items():
        if at is None:
            print(f"Nothing leads to {path}")
    return {path: at for path, at in found.items() if at is not None}


def _take_every(page: Page, every: dict[str, str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    page.emulate_media(
        reduced_motion="reduce"
    )  # else colors are caught half way between two themes
    for path, at in every.items():
        name = re.sub(r"\{[^}]+\}", "one", path).strip("/").replace("/", "-")
        page.goto(at)
        for theme in ("light", "dark"):
            page.evaluate(THEME, theme)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": HEIGHT})
                _take(page, folder / f"{name}-{theme}-{width}.png", whole=True)


def _look_at_every(page: Page, every: dict[str, str]) -> list[str]:
    """What axe finds, in both themes and at three widths of each page as it is loaded once."""
    poor, began = [], time.monotonic()
    page.emulate_media(reduced_motion="reduce")
    for path, at in every.items():
        page.goto(at)
        page.wait_for_load_state("networkidle")
        page.evaluate(SCRIPT)
        for theme, width, rules in looks(every=True):
            page.set_viewport_size({"width": width, "height": HEIGHT})
            page.evaluate(THEME, theme)
            found = read(page.evaluate(asking(rules)))
            found += ["something sticks out at the side"] if page.evaluate(IS_WIDER) else []
            poor += [f"{path}, {theme}, {width}: {each}" for each in found]
    seconds = time.monotonic() - began
    print(
        f"{len(every)} pages, {len(looks(every=True))} looks each, {seconds:.0f} s: {len(poor)} findings"
    )
    return poor


def _first(page: Page, base: str, path: str) -> str | None:
    """The address of a page; where it has an id, the first of its form that the page above links to."""
    if "{" not in path:
        return base + path
    page.goto(base + path.partition("/{")[0])
    beginning, _, rest = path.rpartition("}")
    form = re.sub(r"\\{[^}]+\\}", "[0-9a-z-]{10,}", re.escape(beginning + "}"))
    wanted = re.compile(f"({form})({re.escape(rest)})?(\\?|$)")
    links = page.locator("a[href]").evaluate_all("each => each.map(one => one.href)")
    found = (wanted.match(link.removeprefix(base)) for link in links)
    return next((base + each[1] + rest for each in found if each), None)


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
