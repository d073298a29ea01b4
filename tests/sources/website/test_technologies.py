"""Fingerprints: sites that use a technology count, pages about it do not."""

import tomllib
from importlib.resources import files

import pytest

from sightline.domain.technologies import products
from sightline.sources.website.technologies import fingerprints
from tests.growth import grows_linearly
from tests.sources.website.answers import FILLER, document, read


def test_names_are_those_of_texts_and_said_once() -> None:
    """A page and a posting that show one product show it by one name, vendor and category."""
    data = files("sightline.sources.website").joinpath("data", "technologies.toml")
    rows = tomllib.loads(data.read_text(encoding="utf-8"))["technology"]
    for row in rows:
        assert (row["name"] in products()) != ("category" in row), row["name"]
    forms = {form.rstrip("?!").casefold() for each in products().values() for form in each.forms}
    own = {row["name"].casefold() for row in rows if row["name"] not in products()}
    assert own.isdisjoint(forms)
    sentry = next(row for row in fingerprints() if row.name == "Salesforce Account Engagement")
    assert (sentry.vendor, sentry.category) == ("Salesforce", "marketing automation")


def test_the_table_is_sound() -> None:
    rows = fingerprints()
    names = [row.name for row in rows]
    assert len(rows) >= 830
    assert len(names) == len(set(names))
    for row in rows:
        assert row.patterns, row.name
        assert set(row.implies) <= set(names) | set(products()), row.name


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


@pytest.mark.parametrize(
    ("markup", "headers", "name", "kind"),
    [
        ("<script src='//cdn.bizible.com/bizible.js'></script>", {}, "Marketo Measure", "script"),
        ("<script src='//fast.appcues.com/12.js'></script>", {}, "Appcues", "script"),
        ("<script src='//cdn.callrail.com/companies/1/a/12/swap.js'></script>", {}, "CallRail", "script"),
        ("<script src='https://cdn.attn.tv/mill/dtag.js'></script>", {}, "Attentive", "script"),
        ("<script src='https://mill.containers.piwik.pro/a.js'></script>", {}, "Piwik PRO", "script"),
        ("<script>new statsig.StatsigClient('client-a')</script>", {}, "Statsig", "inline"),
        ("<a href='https://wa.me/4930123456'>Chat</a>", {}, "WhatsApp", "link"),
        ("<a href='https://mill.taleo.net/careersection/2'>Jobs</a>", {}, "Oracle Taleo", "link"),
        ("<a href='https://cal.com/mill/30min'>Book</a>", {}, "Cal.com", "link"),
        ("<img src='https://static.tildacdn.com/a.png'>", {}, "Tilda", "script"),
        ("<link rel=stylesheet href='/bitrix/templates/mill/a.css'>", {}, "1C-Bitrix", "script"),
        ("<mill-root ng-version='16.1.0'></mill-root>", {}, "Angular", "markup"),
        ("", {"x-azure-ref": "2026"}, "Azure Front Door", "header"),
        ("", {"set-cookie": "BITRIX_SM_GUEST_ID=1; path=/"}, "1C-Bitrix", "cookie"),
        (
            "<script>var s={};s.src='//munchkin.marketo.net/munchkin.js';</script>",
            {},
            "Marketo",
            "inline",
        ),
        (
            r'<script>load("https:\/\/web-sdk.aptrinsic.com\/api\/aptrinsic.js?a=1")</script>',
            {},
            "Gainsight PX",
            "inline",
        ),
    ],
)  # fmt: skip
def test_tools_that_sellers_ask_for(
    markup: str, headers: dict[str, str], name: str, kind: str
) -> None:
    reading = read(document(FILLER + markup), **headers)
    hits = {each.name: each for each in reading.technologies}
    assert name in hits
    assert hits[name].evidence_kind == kind
    assert hits[name].evidence


@pytest.mark.parametrize(
    "markup",
    [
        "<a href='https://wa.me/?text=A%20mill'>Share</a>",
        "<a href='https://api.whatsapp.com/send?text=A%20mill'>Share</a>",
        "<script>var page = {seller: 'https://fast.appcues.com/about'}</script>",
    ],
)
def test_buttons_to_share_and_addresses_in_data_are_no_use(markup: str) -> None:
    assert read(document(FILLER + markup)).technologies == ()


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


def test_a_tag_without_an_end_is_read_in_time_that_grows_with_the_page() -> None:
    assert grows_linearly(read, lambda size: document(FILLER + "<a-" + "a-" * size), size=50_000)
