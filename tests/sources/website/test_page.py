"""What a page says about its company, each fact with its place."""

import json

import pytest

from sightline.domain.contacts import read_phone
from sightline.sources.website.company_names import copyright_name
from sightline.sources.website.contacts import decode_protected, is_general
from sightline.sources.website.people import is_name, is_title
from sightline.sources.website.postal import read_postal_line
from sightline.sources.website.profiles import read_profile
from tests.sources.website.answers import FILLER, document, found, read, values

ORGANIZATION = json.dumps(
    {
        "@context": "https://schema.org",
        "@graph": [
            {"@type": "WebSite", "name": "Millworks", "publisher": {"@id": "#org"}},
            {
                "@type": "Corporation",
                "@id": "#org",
                "name": "Millworks",
                "legalName": "Millworks Holding, Inc.",
                "url": "https://www.millworks.example/",
                "logo": {"@type": "ImageObject", "url": "/logo.svg"},
                "foundingDate": "1987-04-01",
                "numberOfEmployees": {"@type": "QuantitativeValue", "value": 240},
                "telephone": "+1 512 555 0142",
                "address": {
                    "@type": "PostalAddress",
                    "streetAddress": "12 Stone Road",
                    "addressLocality": "Austin",
                    "addressRegion": "TX",
                    "postalCode": "78701",
                    "addressCountry": "US",
                },
                "sameAs": [
                    "https://www.linkedin.com/company/Millworks/",
                    "https://twitter.com/millworks",
                    "https://en.wikipedia.org/wiki/Mill",
                ],
                "founder": {"@type": "Person", "name": "Ada Stone"},
            },
            {"@type": "Organization", "name": "Other Partner", "url": "https://partner.example/"},
        ],
    }
)


def test_organization_of_structured_data() -> None:
    head = f"<title>Millworks</title><script type='application/ld+json'>{ORGANIZATION}</script>"
    parsed = read(document(FILLER, head=head)).parsed
    assert values(parsed, "company_name") == ["Millworks"]
    assert values(parsed, "legal_name") == ["Millworks Holding, Inc."]
    assert values(parsed, "founded_year") == [1987]
    assert values(parsed, "employees") == [240]
    assert values(parsed, "logo_url") == ["https://www.millworks.example/logo.svg"]
    assert values(parsed, "hq_city") == ["Austin"]
    assert values(parsed, "country_code") == ["US"]
    assert values(parsed, "profile_network_url") == ["https://www.linkedin.com/company/millworks"]
    assert values(parsed, "social_url") == [{"network": "x", "url": "https://x.com/millworks"}]
    [founder] = values(parsed, "person")
    assert isinstance(founder, dict)
    assert (founder["name"], founder["role"]) == ("Ada Stone", "founder")
    assert found(parsed, "employees")[0].pointer == "json-ld[0]/0/@graph/1/numberOfEmployees"


def test_every_observation_is_proven_by_quote_or_pointer() -> None:
    footer = (
        "© 2019–2025 Millworks Holding Inc. All rights reserved. <a"
        " href='mailto:info@millworks.example'>m</a>"
    )
    parsed = read(
        document("<h1>About</h1>" + FILLER, footer=footer), "https://millworks.example/about"
    ).parsed
    text = " ".join(parsed.text.split())
    assert values(parsed, "legal_name") == ["Millworks Holding Inc."]
    for each in parsed.observations:
        assert each.quote or each.pointer
        assert each.quote is None or " ".join(each.quote.split()) in text


def test_team_cards() -> None:
    cards = "".join(
        f"<div class=card><img alt='{name}'><h3>{name}</h3><p>{title}</p><p>{name} joined us"
        f" long ago.</p></div>"
        for name, title in [
            ("Ada Stone", "Co-Founder & CEO"),
            ("Dr. Bo van den Berg", "Chief Technology Officer"),
            ("María José Carreño Quiñones", "VP of Sales"),
            ("O'Neil Smith-Jones", "Head of Product"),
        ]
    )
    quote = "<blockquote><p>Great mills!</p><h4>Carl Baker</h4><p>CEO, Bakery Nine</p></blockquote>"
    parsed = read(
        document(f"<h1>Our team</h1>{cards}{quote}"), "https://millworks.example/team"
    ).parsed
    people = {value["name"]: value for value in values(parsed, "person") if isinstance(value, dict)}
    assert set(people) == {
        "Ada Stone", "Dr. Bo van den Berg", "María José Carreño Quiñones", "O'Neil Smith-Jones",
    }  # fmt: skip
    assert people["Ada Stone"]["role"] == "founder"
    assert people["O'Neil Smith-Jones"]["title"] == "Head of Product"
    assert values(parsed, "ceo") == ["Ada Stone"]


def test_names_and_titles_elsewhere_are_not_people_of_the_company() -> None:
    story = (
        "<h1>Bakery Nine bakes more</h1>"
        + FILLER
        + "<h3>Carl Baker</h3><p>Operations Manager, Bakery Nine</p>"
    )
    parsed = read(document(story), "https://millworks.example/customers/bakery-nine").parsed
    assert values(parsed, "person") == []
    links = (
        "<h1>Leadership</h1><h3>Learn More</h3><p>Product Manager</p><h3>Open"
        " Positions</h3><p>Sales Director</p>"
    )
    assert (
        values(read(document(links + FILLER), "https://millworks.example/team").parsed, "person")
        == []
    )


def test_german_imprint() -> None:
    main = (
        "<h1>Impressum</h1><p>Angaben gemäß § 5 TMG</p><p>Mühlenwerk Beispiel"
        " GmbH<br>Steinstraße 5a<br>80331 München</p>"
        "<p>Vertreten durch den Geschäftsführer: Erika Beispiel, Dr. Max Mühlmann</p>"
        "<p>Telefon: +49 (0) 89 636 48018<br>Fax: +49 89 636 48019<br>E-Mail: info [at]"
        " muehlenwerk [dot] example</p>"
    )
    parsed = read(document(main, lang="de"), "https://www.muehlenwerk.example/impressum").parsed
    assert values(parsed, "legal_name") == ["Mühlenwerk Beispiel GmbH"]
    assert values(parsed, "hq_address") == ["Steinstraße 5a"]
    assert values(parsed, "hq_city") == ["München"]
    assert values(parsed, "country_code") == ["DE"]
    assert values(parsed, "phone") == ["+498963648018"]
    assert values(parsed, "email") == ["info@muehlenwerk.example"]
    names = [value["name"] for value in values(parsed, "person") if isinstance(value, dict)]
    assert names == ["Erika Beispiel", "Dr. Max Mühlmann"]


@pytest.mark.parametrize(
    ("line", "before", "default", "street", "city", "region", "code", "country"),
    [
        ("Austin, TX 78701", ["1 Oak Rd, Unit 4"], None, "1 Oak Rd, Unit 4", "Austin", "TX", "78701", "US"),
        ("12 Stone Road, Austin, Texas 78701, USA", [], None, "12 Stone Road", "Austin", "TX", "78701", "US"),
        ("Toronto, ON M5V 2T6", ["20 Mill St W"], None, "20 Mill St W", "Toronto", "ON", "M5V 2T6", "CA"),
        ("7 Mill Lane, London EC2R 8EJ", [], None, "7 Mill Lane", "London", None, "EC2R 8EJ", "GB"),
        ("Steinweg 7, 10115 Berlin", [], "DE", "Steinweg 7", "Berlin", None, "10115", "DE"),
        ("CH-8001 Zürich", ["Mühlegasse 1"], None, "Mühlegasse 1", "Zürich", None, "8001", "CH"),
        ("3 rue du Moulin, 75002 Paris, France", [], None, "3 rue du Moulin", "Paris", None, "75002", "FR"),
        ("Calle Molino 5 - 28013 Madrid", [], "ES", "Calle Molino 5", "Madrid", None, "28013", "ES"),
        ("Molenweg 12, 1015 CJ Amsterdam", [], None, "Molenweg 12", "Amsterdam", None, "1015 CJ", "NL"),
        ("Sydney NSW 2000", ["Unit 5, 1 Mill St"], None, "Unit 5, 1 Mill St", "Sydney", "NSW", "2000", "AU"),
        ("00-850 Warszawa", ["ul. Prosta 1"], None, "ul. Prosta 1", "Warszawa", None, "00-850", "PL"),
        ("Paseo Luz, 9-A 07011 - Palma. Tel. Sede: 971 000 300", [], "ES", "Paseo Luz, 9-A", "Palma", None,
         "07011", "ES"),
        ("Mühlstr. 5 | 10115 Berlin | T: +49 30 1234", [], "DE", "Mühlstr. 5", "Berlin", None, "10115", "DE"),
        ("5 Mail Street, Austin, TX 78701", [], None, "5 Mail Street", "Austin", "TX", "78701", "US"),
        ("© Mühle AG, Steinweg 2-8, 48165 Münster", [], "DE", "Steinweg 2-8", "Münster", None, "48165", "DE"),
    ],
)  # fmt: skip
def test_postal_lines(
    line: str, before: list[str], default: str | None, street: str, city: str, region: str | None,
    code: str, country: str,
) -> None:  # fmt: skip
    address = read_postal_line(line, before, "", default=default)
    assert address is not None
    assert (address.street, address.city, address.region) == (street, city, region)
    assert (address.postcode, address.country_code) == (code, country)


@pytest.mark.parametrize(
    "line",
    [
        "In 2020 Berlin was",
        "5000 Euro Kredit, 10000 Euro Kredit",
        "Copyright 2024 Mill",
        "Tel. 01234 Mill",
        "75002 Paris",
    ],
)
def test_other_numbers_are_no_addresses(line: str) -> None:
    assert read_postal_line(line, ["Some words above"], "", default="DE") is None


def test_pictures_and_menus_name_neither_customers_nor_products() -> None:
    """Under such headings stand drawings and slogans too, and below /products pages about products."""
    logos = "".join(
        f"<img alt='{alt}'>" for alt in ("Sold in 3 countries", "Launched in 1969", "Acme logo")
    )
    links = (
        "<a href='/products/safety-data'>Safety Data</a><a href='/customers/hofladen'>Hofladen</a>"
    )
    parsed = read(
        document(f"<h1>Mills</h1>{FILLER}<h2>Trusted by bakeries</h2>{logos}{links}")
    ).parsed
    assert not values(parsed, "customer")
    assert not values(parsed, "product")


def test_products_of_structured_data() -> None:
    data = (
        '<script type="application/ld+json">{"@type": "Organization", "name": "Millworks", "makesOffer":'
        ' {"@type": "Offer", "itemOffered": {"@type": "Service", "name": "Milling"}}}</script>'
        '<script type="application/ld+json">{"@type": "Product", "name": "Stone Mill"}</script>'
    )
    parsed = read(document(f"{data}<h1>Mills</h1>{FILLER}")).parsed
    names = {value["name"] for value in values(parsed, "product") if isinstance(value, dict)}
    assert names == {"Milling", "Stone Mill"}


def test_board_careers_and_feed() -> None:
    head = (
        "<link rel=alternate type='application/rss+xml' href='/news/feed'><link"
        " rel=alternate type='application/rss+xml' href='/comments/feed'>"
    )
    main = (
        FILLER + "<a href='/careers'>Careers</a><iframe"
        " src='https://boards.greenhouse.io/embed/job_board?for=millworks'></iframe>"
    )
    parsed = read(document(main, head=head)).parsed
    [board] = values(parsed, "job_board")
    assert isinstance(board, dict)
    assert (board["kind"], board["token"]) == ("greenhouse", "millworks")
    assert values(parsed, "careers_url") == ["https://www.millworks.example/careers"]
    assert values(parsed, "feed_url") == ["https://www.millworks.example/news/feed"]
    assert {link.role for link in parsed.links} >= {"feed", "job_board", "careers"}


def test_protected_and_personal_mailboxes() -> None:
    secret = bytes([0x42, *(byte ^ 0x42 for byte in b"sales@millworks.example")]).hex()
    assert decode_protected(secret) == "sales@millworks.example"
    main = (
        f"{FILLER}<a class=__cf_email__ data-cfemail='{secret}'"
        f" href='/cdn-cgi/l/email-protection'>[x]</a>"
    )
    main += (
        "<a href='&#109;ailto:&#105;nfo@millworks.example?subject=x'>us</a> <a"
        " href='mailto:ada.stone@millworks.example'>Ada</a>"
    )
    assert set(values(read(document(main)).parsed, "email")) == {
        "sales@millworks.example",
        "info@millworks.example",
    }
    assert is_general("info-de")
    assert not is_general("ada.stone")


@pytest.mark.parametrize(
    ("url", "profile"),
    [
        (
            "https://de.linkedin.com/company/Mill-Works/about/?x=1",
            "https://www.linkedin.com/company/mill-works",
        ),
        ("https://www.linkedin.com/in/ada-stone", None),
        ("https://www.linkedin.com/shareArticle?url=x", None),
        ("https://www.facebook.com/sharer/sharer.php?u=x", None),
        ("https://www.facebook.com/millworks/", "https://www.facebook.com/millworks"),
        ("https://twitter.com/intent/tweet?text=x", None),
        ("https://twitter.com/millworks/status/12", None),
        ("https://x.com/millworks", "https://x.com/millworks"),
        ("https://www.youtube.com/watch?v=abc", None),
        ("https://www.youtube.com/@millworks", "https://www.youtube.com/@millworks"),
        ("https://www.instagram.com/p/abc/", None),
        ("https://github.com/millworks/repo", None),
    ],
)
def test_company_profiles_only(url: str, profile: str | None) -> None:
    read_it = read_profile(url)
    assert (read_it.url if read_it else None) == profile


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("© 2024 Foo Inc. All rights reserved.", "Foo Inc."),
        (
            "Copyright © 2019–2025 Mühle Beispiel GmbH & Co. KG | Impressum",
            "Mühle Beispiel GmbH & Co. KG",
        ),
        ("© Stone Mill Ltd 2023", "Stone Mill Ltd"),
        ("Millworks © 2024", "Millworks"),
        ("© 2024. All rights reserved.", None),
        ("© 2024 your use of this site is subject to terms", None),
    ],
)
def test_copyright_lines(line: str, name: str | None) -> None:
    assert copyright_name(line) == name


def test_small_judgements() -> None:
    assert is_name("Ada Stone")
    assert not is_name("Learn More")
    assert not is_name("Product Manager")
    assert is_title("Chief of Staff")
    assert not is_title("We are the leading manager of mills.")
    assert read_phone("+49 (0)89 636 48018", assigned=True) == "+498963648018"
    assert read_phone("12", "US", assigned=True) is None


def test_founding_sentence_must_be_about_the_company() -> None:
    own = (
        "<h1>About</h1><p>We were founded in 1987 in Austin. Bakery Nine was founded in 1901"
        " by others.</p>" + FILLER
    )
    assert values(
        read(document(own), "https://millworks.example/about").parsed, "founded_year"
    ) == [1987]
    other = (
        "<h1>About</h1><p>Our customer Bakery Nine, which Carl Baker founded in 1901, likes it.</p>"
        + FILLER
    )
    assert (
        values(read(document(other), "https://millworks.example/press/x").parsed, "founded_year")
        == []
    )


@pytest.mark.parametrize(
    ("sentence", "years"),
    [
        ("Since our founding in 1978 as a mill, we have sold flour.", [1978]),
        ("So much has changed since we were founded in 1849.", [1849]),
        ("設立 1962年", [1962]),
        ("Much was different when the union of bakers was founded in 1849.", []),
        ("Since our partner Bakery Nine was founded in 1901, we know it.", []),
    ],
)
def test_a_founding_is_told_of_us(sentence: str, years: list[int]) -> None:
    page = document(f"<h1>About</h1><p>{sentence}</p>{FILLER}")
    parsed = read(page, "https://millworks.example/about").parsed
    assert values(parsed, "founded_year") == years


def test_a_degree_behind_a_name_is_no_part_of_the_title() -> None:
    page = document(f"<h1>Team</h1><p>Ada Stone, Ph.D. Chief Science Officer</p>{FILLER}")
    [person] = values(read(page, "https://millworks.example/team").parsed, "person")
    assert (person["name"], person["title"]) == ("Ada Stone", "Chief Science Officer")


def test_a_product_for_teams_shows_nobody() -> None:
    page = document(f"<h1>Mill for Teams</h1><h2>Flour Control</h2><p>Mill Manager</p>{FILLER}")
    assert values(read(page, "https://millworks.example/teams").parsed, "person") == []


@pytest.mark.parametrize(
    ("main", "people"),
    [
        (
            "<h2>Vertreten durch</h2><p>Hanna Mahler</p><p>Geschäftsführerin</p>",
            [("Hanna Mahler", "Geschäftsführerin")],
        ),
        (
            "<p>Mühlenwerk GmbH<br>wird vertreten durch den Geschäftsführer Markus Kornfeld</p>",
            [("Markus Kornfeld", "Geschäftsführer")],
        ),
        ("<p>Vertreten durch: Hanna Mahler</p>", [("Hanna Mahler", None)]),
        ("<p>Der Verein wird vertreten durch seine Mitglieder.</p>", []),
    ],
)
def test_who_represents_a_company(main: str, people: list[tuple[str, str | None]]) -> None:
    page = document(f"<h1>Impressum</h1>{main}", lang="de")
    parsed = read(page, "https://www.muehlenwerk.example/impressum").parsed
    named = [value for value in values(parsed, "person") if isinstance(value, dict)]
    assert [(value["name"], value["title"]) for value in named] == people


def test_what_is_set_like_the_titles_of_others_is_a_title() -> None:
    def card(name: str, below: str) -> str:
        return f"<div><h3>{name}</h3><p class=job>{below}</p></div>"

    main = card("Pieter Molenaar", "Directeur") + card("Sanne Korenhof", "Hoofd verkoop")
    other = "<div><h3>Joost Windvaan</h3><p class=bio>Houdt van molens</p></div>"
    wrong = card("Karin Steenhuis", "Karin werkt hier al jaren.") + card(
        "Bram Zeilmaker", "06 12345"
    )
    parsed = read(
        document(main + other + wrong, lang="nl"), "https://millworks.example/team"
    ).parsed
    named = [value for value in values(parsed, "person") if isinstance(value, dict)]
    assert [(value["name"], value["title"]) for value in named] == [
        ("Pieter Molenaar", "Directeur"),
        ("Sanne Korenhof", "Hoofd verkoop"),
    ]


def test_the_maker_of_a_site_is_not_its_owner() -> None:
    data = (
        '{"@type": "BlogPosting", "headline": "New mill", "publisher": {"@type": "Organization",'
        ' "name": "Blogger", "logo": {"@type": "ImageObject", "url": "https://maker.example/l.png"}}}'
    )
    head = f"<script type='application/ld+json'>{data}</script><meta property=og:site_name content=Millworks>"
    parsed = read(document(FILLER, head=head)).parsed
    assert values(parsed, "company_name") == ["Millworks"]
    assert values(parsed, "logo_url") == []


def test_comments_of_readers_are_no_part_of_the_text() -> None:
    comments = "".join(
        f"<div class=x_comment_text><p>Reader {index} thinks that this mill is not worth it.</p></div>"
        for index in range(3)
    )
    parsed = read(document(f"<article><h1>A new mill</h1>{FILLER * 3}</article>{comments}")).parsed
    assert "grinding mills" in parsed.text
    assert "not worth it" not in parsed.text


def test_halves_of_characters_in_structured_data_are_replaced() -> None:
    data = r'{"@type": "Organization", "name": "Mill \ud83d Works", "url": "https://www.millworks.example/"}'
    head = f"<script type='application/ld+json'>{data}</script>"
    assert values(read(document(FILLER, head=head)).parsed, "company_name") == ["Mill \ufffd Works"]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Millworks - Better mills for every kitchen", "Millworks"),
        ("Better mills | Millworks", "Millworks"),
        ("/millworks group", "millworks group"),
        ("Startsida | Millworks", "Millworks"),
        ("Harbor Mills Inc.", "Harbor Mills Inc."),
        ("https://millworks.example", None),
        ("Home", None),
        ("Etusivu", None),
        ("ホーム", None),
        ("Mills and stones and sieves of every kind and size", None),
    ],
)
def test_a_name_is_without_slogan_address_or_word_for_home(written: str, name: str | None) -> None:
    unnamed = FILLER.replace("Millworks", "The house")
    head = f"<meta property='og:site_name' content='{written}'>"
    assert values(read(document(unnamed, head=head)).parsed, "company_name") == [name] * bool(name)
    data = {"@type": "Organization", "url": "https://www.millworks.example/", "name": written}
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    assert values(read(document(unnamed, head=head)).parsed, "company_name") == [name] * bool(name)


def test_a_registered_name_in_the_title_needs_no_likeness_to_the_domain() -> None:
    head = "<title>株式会社ミルワークス｜石臼の製造</title>"
    unnamed = FILLER.replace("Millworks", "The house")
    assert values(read(document(unnamed, head=head)).parsed, "company_name") == [
        "株式会社ミルワークス"
    ]


@pytest.mark.parametrize(
    ("region", "country"), [("Utah", "US"), ("Ontario", "CA"), ("MI", None), ("", None)]
)
def test_a_state_by_its_name_decides_the_country(region: str, country: str | None) -> None:
    address = {"@type": "PostalAddress", "addressLocality": "Salem", "addressRegion": region}
    data = {"@type": "Organization", "url": "https://www.millworks.example/", "name": "Millworks"}
    text = json.dumps({**data, "address": address})
    parsed = read(
        document(FILLER, head=f'<script type="application/ld+json">{text}</script>')
    ).parsed
    assert values(parsed, "country_code") == ([country] if country else [])


def test_the_top_level_domain_tells_the_country_where_nothing_else_does() -> None:
    parsed = read(document(FILLER), "https://millworks.no/").parsed
    (found_one,) = found(parsed, "country_code")
    assert (found_one.value, found_one.confidence) == ("NO", 0.5)
    assert not found(read(document(FILLER), "https://millworks.io/").parsed, "country_code")


def test_a_home_page_says_where_its_logo_may_be() -> None:
    head = (
        '<link rel="icon" href="/small.png" sizes="16x16"><link rel="icon" href="/large.png" sizes="96x96">'
        '<link rel="mask-icon" href="/mask.png"><link rel="shortcut icon" href="data:image/png;base64,AA">'
        '<link rel="apple-touch-icon" href="/logo.svg?v=2"><meta property="og:image" content="/share.jpg">'
    )
    header = '<header><a href="/"><img src="/logo-wide.webp" alt="Millworks logo"></a></header>'

    def logos(url: str) -> list[str]:
        links = read(document(header + FILLER, head=head), url).parsed.links
        return [link.url.rpartition("/")[2] for link in links if link.role == "logo"]

    assert logos("https://www.millworks.example/") == ["logo-wide.webp", "large.png", "share.jpg"]
    assert logos("https://www.millworks.example/about") == []
