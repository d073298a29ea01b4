"""Inline XBRL: numbers as tagged, segments without double counting, the cover page."""

from datetime import date

import pytest

from sightline.sources.sec_edgar.inline_facts import read_inline_document
from sightline.sources.sec_edgar.inline_xbrl import InlineReport, read_inline_xbrl
from sightline.sources.sec_edgar.member_names import split_name

SEGMENT = "us-gaap:StatementBusinessSegmentsAxis"
REGION = "srt:StatementGeographicalAxis"
PRODUCT = "srt:ProductOrServiceAxis"
HEAD = """<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"
 xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:xbrldi="http://xbrl.org/2006/xbrldi"><body>"""


class Report:
    """A small inline report under construction."""

    def __init__(self) -> None:
        self.contexts: list[str] = []
        self.rows: list[str] = []

    def context(self, *members: str, year: int = 2024) -> str:
        key = f"c{len(self.contexts)}"
        pairs = [member.split("=") for member in members]
        explicit = "".join(
            f'<xbrldi:explicitMember dimension="{axis}">{member}</xbrldi:explicitMember>'
            for axis, member in pairs
        )
        self.contexts.append(
            f'<xbrli:context id="{key}"><xbrli:entity><xbrli:segment>{explicit}</xbrli:segment>'
            f"</xbrli:entity><xbrli:period><xbrli:startDate>{year}-01-01</xbrli:startDate>"
            f"<xbrli:endDate>{year}-12-31</xbrli:endDate></xbrli:period></xbrli:context>"
        )
        return key

    def number(
        self, text: str, *members: str, name: str = "us-gaap:Revenues", label: str = "", **more: str
    ) -> None:
        year = int(more.pop("year", "2024"))
        attributes = {"scale": "6", "format": "ixt:num-dot-decimal"} | more
        written = " ".join(f'{key}="{value}"' for key, value in attributes.items())
        self.rows.append(
            f'<tr><td>{label}</td><td>$</td><td><ix:nonFraction name="{name}" unitRef="usd"'
            f' contextRef="{self.context(*members, year=year)}" {written}>{text}</ix:nonFraction></td></tr>'
        )

    def text(self, name: str, text: str, *members: str) -> None:
        self.rows.append(
            f'<tr><td><ix:nonNumeric name="dei:{name}" contextRef="{self.context(*members)}">'
            f"{text}</ix:nonNumeric></td></tr>"
        )

    def content(self) -> bytes:
        header = (
            "<ix:header><ix:resources>"
            + "".join(self.contexts)
            + '<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>'
            "</ix:resources></ix:header>"
        )
        return f"{HEAD}{header}<table>{''.join(self.rows)}</table></body></html>".encode()

    def read(self) -> InlineReport:
        self.text("DocumentType", "10-K")
        self.text("DocumentPeriodEndDate", "December 31, 2024")
        self.text("DocumentFiscalYearFocus", "2024")
        report = read_inline_xbrl(self.content())
        assert report is not None
        return report


def amounts(report: InlineReport, axis: str, metric: str = "revenue") -> dict[str, float]:
    return {
        one.name: one.amount
        for one in report.segments
        if (one.axis, one.metric, one.end.year) == (axis, metric, 2024)
    }


@pytest.mark.parametrize(
    ("text", "attributes", "value"),
    [
        ("1,234.5", {}, 1_234_500_000),
        ("8,468.8", {}, 8_468_800_000),
        ("1.234,5", {"format": "ixt:num-comma-decimal"}, 1_234_500_000),
        ("12", {"sign": "-"}, -12_000_000),
        ("—", {"format": "ixt:fixed-zero"}, 0),
        ("7", {"scale": "0"}, 7),
        ("25", {"scale": "-2"}, 0.25),
        ("<span>1</span>,<span>000</span>", {"scale": "0"}, 1000),
    ],
)
def test_numbers_are_scaled_signed_and_read_by_their_format(
    text: str, attributes: dict[str, str], value: float
) -> None:
    report = Report()
    report.number(text, **attributes)
    document = read_inline_document(report.content())
    assert document is not None
    assert document.facts[0].value == value


def test_segments_have_names_amounts_and_growth() -> None:
    report = Report()
    report.number("300")
    report.number("200", f"{SEGMENT}=orq:OrchardCareMember", label="Orchard Care (1)")
    report.number("160", f"{SEGMENT}=orq:OrchardCareMember", label="Orchard Care (1)", year="2023")
    report.number("100", f"{SEGMENT}=orq:IPressMember", label="Net sales")
    read = report.read()
    assert amounts(read, "business") == {"Orchard Care": 200_000_000, "iPress": 100_000_000}
    care = next(one for one in read.segments if one.name == "Orchard Care" and one.end.year == 2024)
    assert (care.change, care.currency, care.start) == (0.25, "USD", date(2024, 1, 1))
    observation = next(one for one in read.observations if one.field == "segment")
    assert observation.value["member"] == "orq:OrchardCareMember"
    assert observation.pointer == "us-gaap:Revenues [orq:OrchardCareMember] 2024-01-01/2024-12-31"


def test_words_that_only_tell_the_kind_are_left_to_the_table() -> None:
    """A member is named by the end of its name where its row is, unless that end is something else."""
    report = Report()
    report.number("350")
    report.number("140", f"{PRODUCT}=orq:MajorProductLineHardlinesMember", label="Hardlines")
    report.number("100", f"{PRODUCT}=orq:MajorProductLineDcorMember", label="Décor")
    report.number("60", f"{PRODUCT}=orq:AmericasExcludingCanadaMember", label="Canada")
    report.number("50", f"{PRODUCT}=orq:LanternwoodDepotandOtherMember", label="Depot and Other")
    assert set(amounts(report.read(), "product")) == {
        "Hardlines",
        "Décor",
        "Americas Excluding Canada",
        "Lanternwood Depot and Other",
    }


def test_totals_eliminations_and_head_office_are_no_segments() -> None:
    report = Report()
    report.number("300")
    for member, text in (
        ("orq:NorthMember", "180"),
        ("orq:SouthMember", "130"),
        ("us-gaap:IntersegmentEliminationMember", "10"),
        ("us-gaap:CorporateNonSegmentMember", "0"),
        ("us-gaap:CorporateMember", "5"),
    ):
        report.number(text, f"{SEGMENT}={member}")
        report.number(text, f"{SEGMENT}={member}", name="us-gaap:OperatingIncomeLoss", sign="-")
    read = report.read()
    assert amounts(read, "business") == {"North": 180_000_000, "South": 130_000_000}
    assert amounts(read, "business", "operating_income") == {
        "North": -180_000_000,
        "South": -130_000_000,
    }


def test_a_sum_of_its_neighbours_is_not_counted_twice() -> None:
    report = Report()
    report.number("100")
    for member, text in (
        ("orq:SearchMember", "40"),
        ("orq:NetworkMember", "20"),
        ("orq:AdvertisingMember", "60"),
        ("orq:CloudMember", "40"),
    ):
        report.number(text, f"{PRODUCT}={member}")
    assert amounts(report.read(), "product") == {
        "Search": 40_000_000,
        "Network": 20_000_000,
        "Cloud": 40_000_000,
    }


def test_countries_inside_regions_are_left_out_where_regions_make_up_the_whole() -> None:
    report = Report()
    report.number("100")
    for member, text in (
        ("srt:AmericasMember", "55"),
        ("srt:EuropeMember", "45"),
        ("country:US", "49"),
        ("country:DE", "21"),
    ):
        report.number(text, f"{REGION}={member}")
    assert set(amounts(report.read(), "geography")) == {"Americas", "Europe"}


def test_countries_have_their_names_and_a_neutral_axis_changes_nothing() -> None:
    report = Report()
    report.number("100")
    neutral = "srt:ConsolidationItemsAxis=us-gaap:OperatingSegmentsMember"
    report.number("70", f"{REGION}=country:US", neutral)
    report.number("30", f"{REGION}=us-gaap:NonUsMember", neutral)
    assert amounts(report.read(), "geography") == {
        "United States": 70_000_000,
        "Non-US": 30_000_000,
    }


def test_products_that_stand_by_segment_only_are_added_up() -> None:
    report = Report()
    report.number("100")
    for segment, product, text in (
        ("A", "Toys", "30"),
        ("B", "Toys", "20"),
        ("A", "Tools", "50"),
    ):
        report.number(text, f"{SEGMENT}=orq:{segment}Member", f"{PRODUCT}=orq:{product}Member")
    report.number("50", f"{SEGMENT}=orq:AMember")
    read = report.read()
    assert amounts(read, "product") == {"Toys": 50_000_000, "Tools": 50_000_000}
    of = {one.name: one.of for one in read.segments if one.axis == "product"}
    assert of == {"Toys": None, "Tools": "A"}


def test_results_and_cover_page() -> None:
    report = Report()
    report.number("300")
    report.number("250", year="2023")
    for name, text in (
        ("EntityRegistrantName", "ORCHARD QUAY, INC."),
        ("EntityCentralIndexKey", "0000090001"),
        ("CurrentFiscalYearEndDate", "--12-31"),
        ("EntityAddressAddressLine1", "12 Harbour Way"),
        ("EntityAddressCityOrTown", "Springfield"),
        ("EntityAddressStateOrProvince", "Illinois"),
        ("EntityAddressPostalZipCode", "62701"),
        ("CityAreaCode", "(217)"),
        ("LocalPhoneNumber", "555-0142"),
    ):
        report.text(name, text)
    bond, share = (
        "us-gaap:StatementClassOfStockAxis=orq:" + m for m in ("NotesMember", "StockMember")
    )
    for member, title, ticker in (
        (bond, "2.5% Notes due 2030", "ORQ30"),
        (share, "Common Stock", "ORQ"),
    ):
        report.text("Security12bTitle", title, member)
        report.text("TradingSymbol", ticker, member)
        report.text("SecurityExchangeName", "The Nasdaq Stock Market LLC", member)
    read = report.read()
    values = {one.field: one.value for one in read.observations}
    assert values["legal_name"] == "Orchard Quay, Inc."
    assert (values["hq_city"], values["hq_state"], values["country_code"]) == (
        "Springfield",
        "IL",
        "US",
    )
    assert values["fiscal_year_end"] == "12-31"
    assert [one.value for one in read.observations if one.field == "listing"] == [
        {"ticker": "ORQ", "exchange": "Nasdaq", "title": "Common Stock"}
    ]
    assert values["stock_exchange_symbol"] == "NASDAQ"
    assert values["revenue"]["amount"] == 300_000_000
    newest = next(one for one in read.periods if one.label == "FY2024" and one.metric == "revenue")
    assert newest.change == 0.2


def test_a_quarterly_report_counts_by_its_cover_page() -> None:
    """The year that ends on 31 January 2025 is fiscal 2025 here; its second quarter ends in July."""
    content = (
        f"{HEAD}<ix:header><ix:resources>"
        '<xbrli:context id="q"><xbrli:period><xbrli:startDate>2024-05-01</xbrli:startDate>'
        "<xbrli:endDate>2024-07-31</xbrli:endDate></xbrli:period></xbrli:context>"
        '<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>'
        "</ix:resources></ix:header>"
        + "".join(
            f'<ix:nonNumeric name="dei:{name}" contextRef="q">{text}</ix:nonNumeric>'
            for name, text in (
                ("DocumentType", "10-Q"),
                ("DocumentPeriodEndDate", "July 31, 2024"),
                ("DocumentFiscalYearFocus", "2025"),
                ("CurrentFiscalYearEndDate", "January 31"),
            )
        )
        + '<ix:nonFraction name="us-gaap:Revenues" unitRef="usd" contextRef="q" scale="3">12</ix:nonFraction>'
        "</body></html>"
    )
    report = read_inline_xbrl(content.encode())
    assert report is not None
    assert [(one.label, one.amount) for one in report.periods] == [("Q2 FY2025", 12000)]
    # A quarter says nothing about a year's revenue.
    assert "revenue" not in {one.field for one in report.observations}


@pytest.mark.parametrize("body", [b"", b"\x00\xff", b"<html>ix:</html>", b"<html ix:", b"plain"])
def test_what_is_not_tagged_gives_nothing(body: bytes) -> None:
    assert read_inline_xbrl(body) is None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("LowerQuaySegmentMember", "Lower Quay"),
        ("IPressMember", "iPress"),
        ("OEMAndOtherMember", "OEM and Other"),
        ("BrandStoresMember", "Brand Stores"),
        ("OQSMember", "OQS"),
    ],
)
def test_member_names_are_taken_apart(name: str, words: str) -> None:
    assert split_name(name) == words
