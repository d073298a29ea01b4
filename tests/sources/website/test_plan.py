"""The pages chosen: the likeliest, on the own site, no traps, always the same."""

import pytest

from sightline.domain.evidence import Link
from sightline.sources.website.links import is_trap, role_of
from sightline.sources.website.plan import MAX_PAGES, plan_crawl

HOME = "https://www.millworks.example/"


def link(path: str, text: str = "") -> Link:
    return Link(
        path if path.startswith("http") else f"https://www.millworks.example{path}", "other", text
    )


@pytest.mark.parametrize(
    ("path", "text", "role"),
    [
        ("/", "", "home"),
        ("/de/", "", "home"),
        ("/about-us", "", "about"),
        ("/ueber-uns.html", "", "about"),
        ("/x1", "Über uns", "about"),
        ("/company/leadership", "", "team"),
        ("/fr/notre-equipe", "", "team"),
        ("/quienes-somos", "", "about"),
        ("/produkte", "", "products"),
        ("/clientes", "", "customers"),
        ("/about/careers", "", "careers"),
        ("/newsroom", "", "news"),
        ("/impressum", "", "contact"),
        ("/contactez-nous", "", "contact"),
        ("/random-thing", "", "other"),
    ],
)
def test_roles_in_four_languages(path: str, text: str, role: str) -> None:
    assert role_of(f"https://millworks.example{path}", text).role == role


@pytest.mark.parametrize(
    "path",
    [
        "/login", "/account/logout", "/catalog?color=red&size=4", "/events/calendar/2025-01", "/brochure.pdf",
        "/news?page=3", "/tag/mills", "/a/a/a/b", "/search?q=x", "/cart", "/wp-json/x",
        "/products/a/b/c/d/e/f",
    ],
)  # fmt: skip
def test_traps(path: str) -> None:
    assert is_trap(f"https://millworks.example{path}")


def test_choice() -> None:
    links = [
        link("/about", "About"),
        link("/about/team", "Team"),
        link("/contact"),
        link("/impressum"),
        link("/careers", "Careers"),
        link("https://careers.millworks.example/"),
        link("https://shop.millworks.example/products"),
        link("https://other.example/about"),
        link("/about?utm_source=x"),
        link("/ABOUT.pdf"),
        *(link(f"/products/item-{number}") for number in range(60)),
        *(link(f"/blog/post-{number}") for number in range(60)),
    ]
    plan = plan_crawl(
        HOME, links, sitemap_urls=["https://www.millworks.example/customers", f"{HOME}news"]
    )
    urls = [page.url for page in plan]
    assert urls[0] == HOME
    assert len(urls) == len(set(urls)) <= MAX_PAGES
    for path in ("about", "about/team", "contact", "impressum", "careers", "customers", "news"):
        assert f"{HOME}{path}" in urls
    assert "https://careers.millworks.example/" in urls
    assert not any("shop." in url or "other.example" in url or "utm" in url for url in urls)
    assert (
        plan_crawl(
            HOME, links, sitemap_urls=["https://www.millworks.example/customers", f"{HOME}news"]
        )
        == plan
    )


def test_one_language_of_a_translated_site() -> None:
    links = [
        link(f"/{code}/{path}")
        for code in ("de", "en", "fr")
        for path in (
            "about",
            "team",
            "contact",
            "products",
            "careers",
            "news",
            "customers",
            "imprint",
        )
    ]
    chosen = plan_crawl("https://www.millworks.example/de/", links)
    assert {page.url.split("/")[3] for page in chosen} == {"de"}
