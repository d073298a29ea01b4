"""The plain text of filings: what is kept, joined, split and dropped; headings and passages."""

from itertools import pairwise

import pytest

from sightline.sources.sec_edgar.filing import document_text, read_filing
from sightline.sources.sec_edgar.headings import find_headings
from sightline.sources.sec_edgar.passages import passages

SENTENCE = "The company keeps the lamps of forty harbors burning under long service contracts. "


def text_of(markup: str) -> str:
    return document_text(f"<html><body>{markup}</body></html>".encode()).text


@pytest.mark.parametrize(
    ("cells", "line"),
    [
        (["Net sales", "$", "1,234", "$", "998"], "Net sales | $1,234 | $998"),
        (["Loss", "(", "12", ")", "%"], "Loss | (12)%"),
        (["Margin", "46.2", "%", "44.1", "%"], "Margin | 46.2% | 44.1%"),
        (["Charge", "(15", ")", "", "(3", ")"], "Charge | (15) | (3)"),
        (["•", "Spare parts"], "• Spare parts"),
        (["(a)", "The first of two"], "(a) The first of two"),
        (["Item 2.", "Properties"], "Item 2. Properties"),
        (["☒", "Yes"], "☒ Yes"),
        (["", "Alone", ""], "Alone"),
        (["2024", "2023"], "2024 | 2023"),
    ],
)
def test_a_row_is_one_line_with_whole_figures(cells: list[str], line: str) -> None:
    row = "".join(f"<td>{cell}</td>" for cell in cells)
    assert text_of(f"<table><tr>{row}</tr></table>") == line


def test_rows_follow_each_other_and_paragraphs_stand_apart() -> None:
    table = "<table><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>"
    assert text_of(f"<p>Before</p>{table}<p>After</p>") == "Before\n\na | 1\nb | 2\n\nAfter"


def test_a_table_that_only_lays_out_gives_its_paragraphs() -> None:
    column = f"<p>{SENTENCE * 4}</p><p>{SENTENCE * 4}</p>"
    text = text_of(f"<table><tr><td>{column}</td><td>{column}</td></tr></table>")
    assert text.count("\n\n") == 3
    assert " | " not in text


def test_lists_white_space_and_unseen_characters() -> None:
    assert text_of("<ul><li>one<li>two</ul><ol><li>three</ol>") == "• one\n\n• two\n\n• three"
    assert text_of("<p>a&nbsp;\u2003 b\u200b\u00adc</p>") == "a bc"
    assert (
        text_of("<p>Revenue<sup>1</sup> rose to the 10<sup>th</sup></p>")
        == "Revenue 1 rose to the 10th"
    )
    assert text_of("<p>seen</p><p style='DISPLAY : none'>hidden</p><script>x</script>") == "seen"


def test_pages_lose_their_furniture_and_paragraphs_are_joined() -> None:
    sheets = [
        f"<p>Tidewater Annual Report</p><p>{SENTENCE * 2}Sheet {n} ends in the middle of</p>"
        f"<p>{n}</p><div style='page-break-after:always'></div><p><a href='#toc'>Table of Contents</a></p>"
        "<p>a sentence that goes on. None.</p><p>None.</p>"
        for n in range(1, 6)
    ]
    document = document_text(("<html>" + "".join(sheets) + "</html>").encode())
    assert "middle of a sentence that goes on" in document.text
    assert "Table of Contents" not in document.text
    assert "\n3\n" not in document.text
    assert document.text.count("\n\nNone.") == 5
    assert [number for number, _ in document.pages] == list("123456")


def test_plain_text_keeps_tables_and_unwraps_prose() -> None:
    content = (
        "                         SALES BY REGION\n\n"
        "     The first paragraph is wrapped over a\nline and has a long-\nterm view of the market.\n"
        "     A second one begins with an indent and is\nwrapped as well.\n\n"
        "Region                    1996       1995\n------------------------------------------\n"
        "North ..............   $   120    $    98\nSouth                      (31)        12\n\n"
        "o    A list entry that runs over\n     two lines.\n"
    )
    text = document_text(content.encode()).text
    assert text.split("\n\n") == [
        "SALES BY REGION",
        "The first paragraph is wrapped over a line and has a long-term view of the market.",
        "A second one begins with an indent and is wrapped as well.",
        "Region | 1996 | 1995\nNorth | $120 | $98\nSouth | (31) | 12",
        "o A list entry that runs over two lines.",
    ]


def test_page_numbers_between_dashes_go_without_page_marks() -> None:
    sheets = "".join(f"{SENTENCE * 2}\n\n                 -{n}-\n\n" for n in range(1, 5))
    document = document_text(sheets.encode())
    assert "-2-" not in document.text
    assert [number for number, _ in document.pages][:4] == list("1234")


def captions(markup: str) -> list[tuple[int, str]]:
    document = document_text(f"<html>{markup}</html>".encode())
    found = find_headings(document, 0, len(document.text))
    for each in found:
        assert document.text[each.start : each.end].strip() == each.text
    return [(each.level, each.text) for each in found]


def test_headings_have_levels_by_their_style() -> None:
    body = f"<p>{SENTENCE * 4}</p>"
    markup = (
        f"<p><b>RISKS OF OUR MARKET</b></p><p><b><i>Lamps may fail in storms.</i></b></p>{body}"
        f"<p><b><i>We depend on few suppliers.</i></b></p>{body}"
        f"<p><b>RISKS OF OUR SHARES</b></p>{body}"
    )
    assert captions(markup) == [
        (1, "RISKS OF OUR MARKET"),
        (2, "Lamps may fail in storms."),
        (2, "We depend on few suppliers."),
        (1, "RISKS OF OUR SHARES"),
    ]


@pytest.mark.parametrize(
    "markup",
    [
        "<p><b>Competition.</b> {body}</p>",
        "<p><i>Competition.</i> {body}</p>",
        "<p><u>Competition</u>. {body}</p><p><u>Competition.</u></p>",
        "<div style='font-size:14pt'>Competition.</div><p style='font-size:10pt'>{body}</p>",
        "<div><font style='font:bold 10pt Times'>Competition.</font></div><p>{body}</p>",
        "<p style='font-weight:700'>Competition.</p><p>{body}</p>",
        "<p>COMPETITION. {body}</p>",
    ],
)
def test_a_heading_may_be_marked_in_many_ways(markup: str) -> None:
    found = captions(markup.format(body=SENTENCE * 4))
    assert [text.strip(".").casefold() for _, text in found] == ["competition"]


def test_bold_terms_and_table_rows_are_no_headings() -> None:
    body = SENTENCE * 3
    markup = (
        f"<p><b>Lamps</b> are what {body}</p><table><tr><td><b>Total</b></td><td><b>12</b></td></tr>"
        f"</table><p>• <b>bright</b> and more {body}</p><p>(in thousands)</p><p>{body}</p>"
    )
    assert captions(markup) == []


def test_passages_keep_to_items_and_headings_and_cover_the_text() -> None:
    risks = "".join(
        f"<p><b><i>Risk number {n} is real.</i></b></p><p>{SENTENCE * 9}</p>" for n in range(9)
    )
    content = (
        f"<html><p>FORM 10-K</p><p><b>Item 1. Business</b></p><p>{SENTENCE * 60}</p>"
        f"<p><b>Item 1A. Risk Factors</b></p>{risks}<p><b>Item 2. Properties</b></p><p>None.</p></html>"
    )
    filing = read_filing(content.encode())
    cut = passages(filing)
    assert cut[0].section is None
    assert {each.section for each in cut} == {None, "1", "1A", "2"}
    for one, two in pairwise(cut):
        assert one.end <= two.start
        assert not filing.text[one.end : two.start].strip()
    for each in cut:
        assert 0 < each.end - each.start <= 1_200
        text = filing.text[each.start : each.end]
        assert text == text.strip()
        if each.section == "1A" and text.startswith("Risk number"):
            assert each.heading is not None
            assert text.startswith(each.heading)
    business = [each for each in cut if each.section == "1"]
    assert all(each.heading == "Business" for each in business)
    assert all(filing.text[each.start : each.end].endswith(".") for each in business)
    assert sum(each.end - each.start >= 300 for each in cut) >= len(cut) - 3


def test_an_entry_of_the_exhibit_list_on_short_pages_is_no_running_header() -> None:
    page_break = "<div style='page-break-after:always'></div>"
    exhibits = "<p>Press Release of Harbor Analytics dated March 16, 2023.</p>"
    pages = [f"<p>{SENTENCE}</p>", exhibits, "<p>Signed by its officer.</p>", exhibits]
    text = text_of(page_break.join([*pages, "<p>End.</p>"]))
    assert text.count("Press Release of Harbor Analytics") == 2


def test_a_line_at_three_breaks_is_a_running_header() -> None:
    page_break = "<div style='page-break-after:always'></div>"
    pages = [f"<p>Harbor Analytics, Inc.</p><p>{SENTENCE} {n}</p>" for n in "abcde"]
    text = text_of(page_break.join(pages))
    assert text.count("Harbor Analytics, Inc.") <= 1


EIGHT_K = """FORM 8-K

Date of Report (Date of earliest event reported): May 6, 2024

ORCHARD QUAY, INC.

ITEM 2.02. RESULTS OF OPERATIONS AND FINANCIAL CONDITION.

A copy of the release is furnished. The information in Item 2.02 of this report, and in
Item 9.01 below, is not filed.

Item 5.02 | Departure of Directors or Certain Officers

Ms. Quill retires as described in
Item 8.01 of this Form 8-K.

Section 9 - Financial Statements and Exhibits

Item 9.01 Financial Statements and Exhibits.

99.1 | Press release

SIGNATURES

Pursuant to the requirements of the Securities Exchange Act of 1934
"""


def test_items_of_a_current_report_are_headings_and_not_mentions() -> None:
    filing = read_filing(EIGHT_K.encode(), form="8-K")
    assert [each.item for each in filing.items] == ["2.02", "5.02", "9.01"]
    first, second, last = (filing.text[each.start : each.end] for each in filing.items)
    assert first.startswith("ITEM 2.02")
    assert "not filed" in first
    assert "Ms. Quill retires" in second
    assert "SIGNATURES" not in last


def test_old_current_reports_have_one_number() -> None:
    text = "Date of Report: June 20, 2000\n\nITEM 4: CHANGE IN ACCOUNTANT\n\nText.\n\nItem 7. Exhibits\n"
    assert [each.item for each in read_filing(text.encode(), form="8-K").items] == ["4", "7"]
