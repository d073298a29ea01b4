"""Pages served in place of another are reported with a reason; ordinary pages are not."""

import pytest

from tests.sources.website.answers import FILLER, document, read


@pytest.mark.parametrize(
    ("kind", "markup"),
    [
        (
            "bot_wall",
            "<title>Just a moment...</title><body><p>Enable JavaScript and cookies to continue</p>",
        ),
        (
            "bot_wall",
            "<title>Attention Required! | Cloudflare</title><h1>One more step</h1><p>Please"
            " complete the security check</p>",
        ),
        (
            "bot_wall",
            "<body><h1>Pardon Our Interruption</h1><p>As you were browsing something made us think</p>",
        ),
        (
            "bot_wall",
            "<body><script src='https://geo.captcha-delivery.com/captcha/'></script><p>Please wait</p>",
        ),
        (
            "access_denied",
            "<title>Access Denied</title><h1>Access Denied</h1><p>You don't have permission"
            " to access this.</p>",
        ),
        ("access_denied", "<title>403 Forbidden</title><center><h1>403 Forbidden</h1></center>"),
        (
            "default_server_page",
            "<title>Welcome to nginx!</title><h1>Welcome to nginx!</h1><p>If you see this page</p>",
        ),
        ("default_server_page", "<html><body><h1>It works!</h1></body></html>"),
        (
            "default_server_page",
            "<title>Apache2 Ubuntu Default Page: It works</title><p>This is the default welcome page</p>",
        ),
        ("default_server_page", "<title>IIS Windows Server</title><img src=iisstart.png>"),
        ("default_server_page", "<title>Index of /</title><h1>Index of /</h1><a href='a/'>a/</a>"),
        ("suspended", "<title>Account Suspended</title><h1>This Account has been suspended.</h1>"),
        (
            "for_sale",
            "<title>millworks.example</title><h1>The domain millworks.example is for"
            " sale!</h1><p>Make an offer</p>",
        ),
        ("for_sale", "<h1>Diese Domain steht zum Verkauf</h1><p>Jetzt anfragen</p>"),
        ("parked", "<p>This domain is parked free, courtesy of GoDaddy.com</p>"),
        (
            "parked",
            "<script src='https://www.sedoparking.com/frmpark/x.js'></script><p>Related links</p>",
        ),
        ("coming_soon", "<h1>Coming soon</h1><p>Our new website is on its way.</p>"),
        (
            "maintenance",
            "<title>Site maintenance</title><h1>We'll be back soon!</h1><p>We are under maintenance.</p>",
        ),
        ("soft_404", "<title>Page not found – Millworks</title><h1>404</h1><p>Sorry</p>"),
        ("soft_404", "<title>Seite nicht gefunden</title><h1>Hoppla</h1>"),
        ("login_wall", "<h1>Welcome back</h1><form><input name=u><input type=password></form>"),
        (
            "needs_script",
            "<div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript>",
        ),
        (
            "needs_script",
            "<div id=app></div><script src=/a.js></script><script src=/b.js></script><script"
            " src=/c.js></script>",
        ),
        ("empty", "<html><head></head><body><div></div></body></html>"),
    ],
)
def test_recognised(kind: str, markup: str) -> None:
    reading = read(markup)
    assert reading.problem is not None
    assert reading.problem.kind == kind
    assert reading.problem.reason
    assert reading.parsed.observations == ()
    assert any(note.startswith(f"{kind}: ") for note in reading.parsed.notes)


@pytest.mark.parametrize(
    "main",
    [
        "<h1>How captchas verify you are human</h1>" + FILLER * 4,
        "<h1>Coming soon: two new mills</h1>" + FILLER,
        "<h1>Our maintenance service</h1><p>Under maintenance contracts we come twice a year.</p>"
        + FILLER,
        "<h1>What a 404 page not found tells</h1>" + FILLER * 3,
        "<h1>Buying a domain for sale</h1>" + FILLER * 8,
    ],
)
def test_pages_about_such_things_are_ordinary(main: str) -> None:
    assert read(document(main)).problem is None


def test_a_page_that_a_script_draws_keeps_what_its_head_says() -> None:
    head = (
        "<title>Millworks</title><meta property='og:site_name' content='Millworks'>"
        "<meta name=description content='Stone mills for bakeries and farms.'>"
    )
    reading = read(f"<html><head>{head}</head><body><div id=root></div></body></html>")
    assert reading.problem is not None
    assert {each.field for each in reading.parsed.observations} == {"company_name", "description"}


def test_refusals_for_asking_too_often() -> None:
    reading = read(
        "<title>Sorry</title><h1>Request Rate Threshold Exceeded</h1><p>Try again later.</p>"
    )
    assert reading.problem is not None
    assert reading.problem.kind == "access_denied"
