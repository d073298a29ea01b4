"""Fingerprints: what uses a technology is told, what writes about it is not."""

import pytest

from sightline.sources.website.technologies import fingerprints
from tests.sources.website.answers import FILLER, document, read


def test_the_table_is_sound() -> None:
    rows = fingerprints()
    names = [row.name for row in rows]
    assert len(rows) >= 200
    assert len(names) == len(set(names))
    for row in rows:
        assert row.patterns, row.name
        assert set(row.implies) <= set(names), row.name


@pytest.mark.parametrize(
    ("markup", "headers", "name", "kind"),
    [
        ("<script src='//js.hs-scripts.com/123.js'></script>", {}, "HubSpot", "script"),
        (
            "<script>(function(){'gtm.js'})('GTM-ABC123')</script>",
            {},
            "Google Tag Manager",
            "inline",
        ),
        ("<meta name=generator content='WordPress 6.4'>", {}, "WordPress", "meta"),
        (
            "<script src='/wp-content/plugins/woocommerce/a.js'></script>",
            {},
            "WooCommerce",
            "script",
        ),
        ("<html data-wf-site='123'>", {}, "Webflow", "markup"),
        ("<a href='https://calendly.com/mill/30min'>Book</a>", {}, "Calendly", "link"),
        ("", {"server": "cloudflare", "cf-ray": "1"}, "Cloudflare", "header"),
        ("", {"set_cookie": "_shopify_y=1; path=/, other=2; Path=/"}, "Shopify", "cookie"),
        ("<script src='https://js.stripe.com/v3/'></script>", {}, "Stripe", "script"),
        (
            "<iframe src='https://boards.greenhouse.io/embed/job_board?for=mill'></iframe>",
            {},
            "Greenhouse",
            "script",
        ),
    ],
)
def test_hits_give_their_evidence(
    markup: str, headers: dict[str, str], name: str, kind: str
) -> None:
    reading = read(
        document(FILLER, head=markup) if "<html" not in markup else markup + FILLER, **headers
    )
    hits = {each.name: each for each in reading.technologies}
    assert name in hits
    assert hits[name].evidence_kind == kind
    assert hits[name].evidence
    assert any(each.field == "technology" for each in reading.parsed.observations)


def test_words_about_a_technology_are_no_use_of_it() -> None:
    main = (
        "<h1>We compared HubSpot, Marketo and Shopify</h1><p>Load js.hs-scripts.com with the"
        " generator WordPress, "
        "set _shopify_y, call fbq('init') and add wp-content to the path.</p>"
        '<pre>&lt;script src="https://js.stripe.com/v3/"&gt;&lt;/script&gt;</pre>' + FILLER
    )
    assert read(document(main)).technologies == ()


def test_implied_technologies() -> None:
    reading = read(document(FILLER, head="<script src='/_next/static/a.js'></script>"))
    assert {"Next.js", "React"} <= {each.name for each in reading.technologies}
