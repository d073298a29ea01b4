"""Takes the pictures of the README from a fresh installation with the sample companies.

    make screenshots

Starts `sightline up` in a folder of its own, enriches a sample company, signs in by the printed link, and
photographs two pages with Debian's Chromium (CHROMIUM names another one).
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.waiting import free_port

FOLDER = Path(__file__).parents[2] / "docs" / "images"
COMPANY = "copperline-storage.example"
WIDTH, HEIGHT = 1440, 900


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
            with sync_playwright() as playwright:
                # Root needs the flag; nothing but our own pages is opened.
                opened = playwright.chromium.launch(
                    executable_path=browser, args=["--no-sandbox"] if os.geteuid() == 0 else []
                )
                _take_all(opened, link)
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


def _take_all(browser: Browser, link: str) -> None:
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
    page.goto(link)
    page.locator("button[type=submit]").first.click()
    page.wait_for_url(lambda url: "/link/" not in url)
    page.goto(f"{link.partition('/console/')[0]}/console/accounts")
    _take(page, "accounts")
    page.get_by_role("link", name="Copperline Storage").first.click()
    page.wait_for_load_state("networkidle")
    _take(page, "company")


def _take(page: Page, name: str) -> None:
    page.wait_for_load_state("networkidle")
    page.screenshot(path=FOLDER / f"{name}.png")
    print(f"Wrote {FOLDER / name}.png")


if __name__ == "__main__":
    main()
