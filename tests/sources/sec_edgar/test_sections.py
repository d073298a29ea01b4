"""Which spans of a filing are its items: the ways filers write headings, tables and indexes."""

import gzip

import pytest

from sightline.sources.sec_edgar.filing import Filing, NotAFiling, read_filing

PROSE = (
    "Tidewater Lantern Works designs and sells harbor lighting to port authorities in several "
    "countries, and it maintains the lamps that it sells under contracts of five to ten years. "
)
TITLES = [
    ("1", "Business"),
    ("1A", "Risk Factors"),
    ("1B", "Unresolved Staff Comments"),
    ("2", "Properties"),
    ("3", "Legal Proceedings"),
    ("4", "Mine Safety Disclosures"),
    ("5", "Market for Registrant’s Common Equity"),
    ("7", "Management’s Discussion and Analysis of Financial Condition and Results of Operations"),
    ("7A", "Quantitative and Qualitative Disclosures About Market Risk"),
    ("8", "Financial Statements and Supplementary Data"),
    ("9A", "Controls and Procedures"),
    ("10", "Directors, Executive Officers and Corporate Governance"),
    ("15", "Exhibits and Financial Statement Schedules"),
]
ALL = [item for item, _ in TITLES]
COVER = "<p><b>FORM 10-K</b></p><p>Annual report of Tidewater Lantern Works, Inc.</p>"


def body(item: str, title: str) -> str:
    """A paragraph that only this item has, among others."""
    return f"<p>{PROSE * 3}</p><p>Only here: mark-{item}. {PROSE}</p>"


def page(*parts: str) -> bytes:
    return ("<html><body>" + "".join(parts) + "</body></html>").encode()


def names(filing: Filing) -> list[str]:
    return [each.item for each in filing.items]


def text_of(filing: Filing, item: str) -> str:
    found = next(each for each in filing.items if each.item == item)
    return filing.text[found.start : found.end]


def assert_whole(filing: Filing, items: list[str] = ALL) -> None:
    """Every item is there, in order, and holds its own mark and no other's."""
    assert names(filing) == items
    for item in items:
        text = text_of(filing, item)
        marks = {word for word in text.replace(".", " ").split() if word.startswith("mark-")}
        assert marks == {f"mark-{item}"}


HEADINGS = {
    "one line": "<p><b>Item {item}. {title}</b></p>",
    "no style": "<p>Item {item}. {title}</p>",
    "capitals": "<p>ITEM {upper}. {title_upper}</p>",
    "dash": "<p><b>Item&nbsp;{item} — {title}</b></p>",
    "colon": "<p><b>ITEM {upper}: {title}</b></p>",
    "cells": "<table><tr><td>Item {item}.</td><td></td><td><b>{title}</b></td></tr></table>",
    "two blocks": "<div><b>ITEM {upper}</b></div><div><b>{title_upper}</b></div>",
    "two lines": "<p><b>Item {item}.<br>{title}</b></p>",
    "in pieces": "<p><b>It</b><b>em</b> <font><b>{item}</b></font><b>.</b> <i><b>{title}</b></i></p>",
    "run in": "<p><b>Item {item}. {title}.</b> " + PROSE + "</p>",
    "part before": "<p><b>PART I, Item {item}. {title}</b></p>",
    "bracketed letter": "<p><b>ITEM {bracketed}. {title}</b></p>",
    "no-break spaces": "<p><b>Item\u00a0{item}.\u00a0\u00a0\u2003{title}</b></p>",
    "numbered list": "<p><b>{item}. {title}</b></p>",
}


def heading(style: str, item: str, title: str) -> str:
    bracketed = f"{item[:-1]}({item[-1]})" if item[-1].isalpha() else item
    return HEADINGS[style].format(
        item=item,
        title=title,
        upper=item.upper(),
        title_upper=title.upper(),
        bracketed=bracketed,
    )


CONTENTS = {
    "none": "",
    "pages": "<p>TABLE OF CONTENTS</p><table>"
    + "".join(
        f"<tr><td>Item {item}.</td><td>{title}</td><td>{page}</td></tr>"
        for page, (item, title) in enumerate(TITLES, start=3)
    )
    + "</table>",
    "no pages": "<p>INDEX</p>" + "".join(f"<p>Item {item}. {title}</p>" for item, title in TITLES),
    "leaders": "".join(
        f"<p>Item {item}. {title} ........ {page}</p>"
        for page, (item, title) in enumerate(TITLES, start=3)
    ),
}


@pytest.mark.parametrize("contents", CONTENTS)
@pytest.mark.parametrize("style", [name for name in HEADINGS if name != "part before"])
def test_headings_of_every_style_with_every_contents_table(style: str, contents: str) -> None:
    parts = [COVER, CONTENTS[contents]]
    for item, title in TITLES:
        if style == "numbered list" and item == "5":
            title = "Market for Registrant’s Common Equity and Related Matters"
        parts.append(heading(style, item, title) + body(item, title))
    assert_whole(read_filing(page(*parts)))


def test_titles_alone_are_found_when_they_look_like_headings() -> None:
    parts = [COVER] + [f"<p><b>{title.upper()}</b></p>" + body(i, title) for i, title in TITLES]
    assert_whole(read_filing(page(*parts)))


def test_links_of_the_contents_table_lead_to_headings_without_numbers() -> None:
    rows = "".join(
        f'<tr><td><a href="#s{item}">Item {item}.</a></td><td><a href="#s{item}">{title}</a></td></tr>'
        for item, title in TITLES
    )
    own = {"1": "Who we are", "1A": "What could go wrong", "7": "How the year went"}
    parts = [COVER, f"<table>{rows}</table>"]
    for item, title in TITLES:
        parts.append(f'<div id="s{item}"></div><p>{own.get(item, title)}</p>' + body(item, title))
    assert_whole(read_filing(page(*parts)))


def test_running_headers_do_not_cut_an_item() -> None:
    parts = [COVER]
    for number, (item, title) in enumerate(TITLES):
        parts.append(f"<p><b>Item {item}. {title}</b></p>")
        for sheet in range(3):
            parts.append(f"<p>{PROSE}</p><p>{number * 3 + sheet}</p><hr>")
            parts.append(f"<p><b>Item {item}. {title} (continued)</b></p>")
        parts.append(body(item, title))
    assert_whole(read_filing(page(*parts)))


def test_references_in_running_text_are_no_headings() -> None:
    traps = (
        "<p>Item 1A of this report describes what may go wrong, and Item 7 what did.</p>"
        "<p>Item 7, “Management’s Discussion and Analysis,” explains the figures in more detail.</p>"
        "<p>See Item 8. Financial Statements and Supplementary Data, for the amounts.</p>"
        "<p>Item 402 of Regulation S-K asks for more.</p>"
    )
    parts = [COVER]
    for item, title in TITLES:
        parts.append(f"<p><b>Item {item}. {title}</b></p>" + traps + body(item, title) + traps)
    assert_whole(read_filing(page(*parts)))


def test_two_items_under_one_heading_share_their_span() -> None:
    parts = [COVER, "<p><b>ITEMS 1 AND 2. BUSINESS AND PROPERTIES</b></p>", body("1", "")]
    for item, title in TITLES:
        if item not in ("1", "2"):
            parts.append(f"<p><b>Item {item}. {title}</b></p>" + body(item, title))
    filing = read_filing(page(*parts))
    assert names(filing)[:3] == ["1", "2", "1A"]
    one, two = filing.items[:2]
    assert (one.start, one.end) == (two.start, two.end)
    assert one.with_items == ("2",)
    assert two.with_items == ("1",)


def test_headings_stacked_over_one_text_share_it() -> None:
    parts = [COVER]
    for item, title in TITLES[:11]:
        parts.append(f"<p><b>Item {item}. {title}</b></p>" + body(item, title))
    parts.append(
        "<p><b>Item 10. Directors of the Registrant</b></p><p><b>Item 11. Executive Compensation</b>"
        "</p><p><b>Item 12. Security Ownership</b></p><p>The information required by these items is "
        "incorporated by reference from the proxy statement.</p>"
    )
    filing = read_filing(page(*parts))
    shared = [each for each in filing.items if each.item in ("10", "11", "12")]
    assert len({(each.start, each.end) for each in shared}) == 1
    assert all(each.incorporated_by_reference for each in shared)
    assert shared[1].title == "Executive Compensation"


def test_omitted_and_incorporated_items_say_so() -> None:
    answers = {
        "1B": "None.",
        "4": "Not applicable.",
        "7": "The section on pages 12 to 30 of the annual report to shareholders (Exhibit 13) is "
        "incorporated herein by reference.",
        "7A": "Omitted, as the registrant is a smaller reporting company.",
        "10": "The information is set forth under Election of Directors in our proxy statement.",
    }
    parts = [COVER]
    for item, title in TITLES:
        text = f"<p>{answers[item]}</p>" if item in answers else body(item, title)
        parts.append(f"<p><b>Item {item}. {title}</b></p>{text}")
    filing = read_filing(page(*parts))
    assert names(filing) == ALL
    assert {each.item for each in filing.items if each.omitted} == {"1B", "4", "7A"}
    assert {each.item for each in filing.items if each.incorporated_by_reference} == {"7", "10"}


def sheets(count: int) -> list[str]:
    """Pages 1 to `count` with their printed numbers; each has a mark of its own."""
    return [f"<p>{PROSE * 6} mark-{n}.</p><p>{n}</p><hr>" for n in range(1, count + 1)]


@pytest.mark.parametrize(
    "label", ["Item {item}.", "{item}.", "ITEM {item}"], ids=["item", "number", "capitals"]
)
def test_a_cross_reference_index_is_followed_to_its_pages(label: str) -> None:
    pages = {
        "1": "2–4, 9",
        "1A": "5–6",
        "1B": "None",
        "2": "4",
        "3": "7",
        "7": "8-10",
        "8": "11-13",
    }
    titles = dict(TITLES)
    rows = "".join(
        f"<tr><td>{label.format(item=item)}</td><td>{titles[item]}</td><td>{where}</td></tr>"
        for item, where in pages.items()
    )
    index = f"<p><b>Form 10-K Cross-Reference Index</b></p><table>{rows}</table>"
    filing = read_filing(page(COVER, *sheets(15), index))
    assert set(names(filing)) == set(pages)
    for item, first, last in (("1", 2, 4), ("1A", 5, 6), ("7", 8, 10), ("8", 11, 13)):
        text = text_of(filing, item)
        assert f"mark-{first}." in text
        assert f"mark-{last}." in text
        assert f"mark-{first - 1}." not in text
        assert f"mark-{last + 1}." not in text
    business = next(each for each in filing.items if each.item == "1")
    ((start, end),) = business.also
    assert "mark-9." in filing.text[start:end]
    assert next(each for each in filing.items if each.item == "1B").omitted
    assert any("cross-reference index" in note for note in filing.notes)


def test_an_index_into_pages_that_are_not_here_is_named_in_the_notes() -> None:
    rows = "".join(
        f"<tr><td>Item {item}.</td><td>{title}</td><td>{number}</td></tr>"
        for number, (item, title) in enumerate(TITLES, start=500)
    )
    filing = read_filing(page(COVER, *sheets(3), f"<table>{rows}</table>"))
    assert any("could not be located" in note for note in filing.notes)


QUARTER = [
    ("part1item1", "1", "Financial Statements"),
    ("part1item2", "2", "Management’s Discussion and Analysis of Financial Condition"),
    ("part1item3", "3", "Quantitative and Qualitative Disclosures About Market Risk"),
    ("part1item4", "4", "Controls and Procedures"),
    ("part2item1", "1", "Legal Proceedings"),
    ("part2item1a", "1A", "Risk Factors"),
    ("part2item2", "2", "Unregistered Sales of Equity Securities and Use of Proceeds"),
    ("part2item6", "6", "Exhibits"),
]


@pytest.mark.parametrize("parts", [True, False], ids=["with part headings", "without"])
@pytest.mark.parametrize("contents", [True, False], ids=["with contents", "without"])
def test_items_of_a_quarterly_report_are_told_apart_by_part(parts: bool, contents: bool) -> None:
    out = ["<p><b>FORM 10-Q</b></p>"]
    if contents:
        out.append("<p>PART I. FINANCIAL INFORMATION</p>")
        out += [
            f"<p>Item {number}. {title} | {n}</p>" for n, (_, number, title) in enumerate(QUARTER)
        ]
    for name, number, title in QUARTER:
        if parts and number == "1":
            out.append(f"<p><b>PART {'I' if name == 'part1item1' else 'II'}</b></p>")
        out.append(f"<p><b>Item {number}. {title}</b></p>" + body(name, title))
    assert_whole(read_filing(page(*out)), [name for name, _, _ in QUARTER])


def test_a_current_report_and_its_old_numbering() -> None:
    new = page(
        "<p>FORM 8-K</p><p><b>Item 2.02 Results of Operations and Financial Condition.</b></p>",
        body("2.02", ""),
        "<p><b>Item 9.01. Financial Statements and Exhibits.</b></p><p>(d) Exhibits mark-9.01</p>",
        "<p>SIGNATURE</p><p>By: A. Person</p>",
    )
    assert names(read_filing(new)) == ["2.02", "9.01"]
    assert "A. Person" not in text_of(read_filing(new), "9.01")
    old = page(
        "<p>FORM 8-K</p><p>ITEM 5. OTHER EVENTS</p>",
        body("5", ""),
        "<p>ITEM 7. FINANCIAL STATEMENTS AND EXHIBITS</p><p>(c) Exhibits</p>",
    )
    assert names(read_filing(old)) == ["5", "7"]


def test_a_foreign_annual_report() -> None:
    titles = [
        ("3", "Key Information"),
        ("4", "Information on the Company"),
        ("4A", "Unresolved Staff Comments"),
        ("5", "Operating and Financial Review and Prospects"),
        ("16A", "Audit Committee Financial Expert"),
        ("16K", "Cybersecurity"),
        ("18", "Financial Statements"),
    ]
    parts = ["<p><b>FORM 20-F</b></p>"]
    for item, title in titles:
        parts.append(f"<p><b>ITEM {item}. {title.upper()}</b></p>" + body(item, title))
    filing = read_filing(page(*parts))
    assert filing.form == "20-F"
    assert_whole(filing, [item for item, _ in titles])


def nineties() -> str:
    """A text filing: page marks, running headers, wrapped paragraphs, indented headings."""
    lines = [
        "<PAGE>",
        "",
        "                              FORM 10-K405",
        "",
        "TIDEWATER LANTERN WORKS",
        "",
    ]
    lines += ["                              TABLE OF CONTENTS", ""]
    for number, (item, title) in enumerate(TITLES, start=1):
        lines.append(f"Item {item:3}  {title[:45]:50}......... {number}")
    lines += ["", "<PAGE>", ""]
    for number, (item, title) in enumerate(TITLES, start=1):
        lines += ["", f"ITEM {item.upper()}.  {title.upper()[:46]}", ""]
        lines += [
            "     Tidewater Lantern Works designs and sells harbor lighting to port",
            "authorities in several countries, and it maintains the lamps that it sells",
            "under long-term contracts, as the reader may see from what is said under",
            "Item 7. The figures and what the company thinks of them are given in full in",
            f"Part II. Only here: mark-{item}.",
            "",
        ]
        lines += [
            "<TABLE>",
            "<CAPTION>",
            "                          1996        1995",
            "<S>        <C>   <C>",
            "Lamps sold ............  $  1,204    $    998",
            "Repairs                     310         (12)",
            "</TABLE>",
            "",
        ]
        lines += [
            f"     By then {title.lower()[:20]} had 120 readers in all, most of whom",
            "",
            f"                                     {number}",
            "",
            "<PAGE>",
            "TIDEWATER LANTERN WORKS",
            "",
            "worked in its two plants.",
            "",
        ]
    lines += ["", "SIGNATURES", "", "By: A. Person"]
    return "\n".join(lines)


def test_a_text_filing_of_the_nineties() -> None:
    filing = read_filing(nineties().encode("cp1252"))
    assert filing.form == "10-K405"
    assert_whole(filing)
    text = text_of(filing, "3")
    assert (
        "Tidewater Lantern Works designs and sells harbor lighting to port authorities in" in text
    )
    assert "Lamps sold | $1,204 | $998" in text
    assert "Repairs | 310 | (12)" in text
    assert "most of whom worked in its two plants." in text
    assert "<" not in filing.text


def test_a_full_submission_gives_its_main_document() -> None:
    header = (
        "<SEC-DOCUMENT>0000000000-97-000001.txt : 19970331\n<SEC-HEADER>\n"
        "ACCESSION NUMBER:\t\t0000000000-97-000001\nCONFORMED SUBMISSION TYPE:\t10-K\n"
        "FILED AS OF DATE:\t\t19970331\n\tCOMPANY DATA:\n"
        "\t\tCOMPANY CONFORMED NAME:\t\t\tTIDEWATER LANTERN WORKS INC\n"
        "\t\tSTANDARD INDUSTRIAL CLASSIFICATION:\tELECTRIC LIGHTING [3640]\n</SEC-HEADER>\n"
    )
    documents = (
        "<DOCUMENT>\n<TYPE>EX-13\n<SEQUENCE>2\n<TEXT>\n"
        "ITEM 1. BUSINESS of another kind\n</TEXT>\n</DOCUMENT>\n"
        "<DOCUMENT>\n<TYPE>10-K\n<SEQUENCE>1\n<FILENAME>main.txt\n<TEXT>\n"
        f"{nineties()}\n</TEXT>\n</DOCUMENT>\n"
    )
    filing = read_filing(gzip.compress((header + documents).encode("cp1252"), mtime=0))
    assert filing.form == "10-K"
    assert [each.type for each in filing.documents] == ["EX-13", "10-K"]
    assert_whole(filing)


def test_hidden_facts_are_no_text_but_name_the_form() -> None:
    hidden = (
        '<div style="display:none"><ix:header><ix:hidden><ix:nonNumeric name="dei:DocumentType">10-K'
        '</ix:nonNumeric><ix:nonNumeric name="dei:AmendmentFlag">true</ix:nonNumeric>'
        "</ix:hidden></ix:header></div>"
    )
    parts = [hidden] + [f"<p><b>Item {i}. {t}</b></p>" + body(i, t) for i, t in TITLES]
    filing = read_filing(page(*parts))
    assert filing.form == "10-K/A"
    assert filing.text.startswith("Item 1. Business")
    assert_whole(filing)


def test_windows_1252_is_read_as_such() -> None:
    parts = [COVER] + [f"<p><b>Item {i}. {t}</b></p>" + body(i, t) for i, t in TITLES]
    content = page(*parts).decode().replace("lamps", "lamps – “all”").encode("cp1252")
    assert "lamps – “all” that" in read_filing(content).text


@pytest.mark.parametrize(
    "content",
    [b"", b"  \n ", b"\x00\x01\x02" * 50, b"\x1f\x8bbroken", b"<html><body></body></html>"],
)
def test_what_is_no_filing_is_refused_in_words(content: bytes) -> None:
    with pytest.raises(NotAFiling):
        read_filing(content)


def test_the_form_may_be_given_or_taken_from_the_name() -> None:
    content = page("<p>Item 1. Business</p>", body("1", ""))
    assert read_filing(content, form="10-K").form == "10-K"
    assert read_filing(content, name="https://files.example/acme-10k_2019.htm").form == "10-K"
    assert read_filing(content).form is None


def test_an_xml_filing_names_its_form_and_has_no_items() -> None:
    content = b"<?xml version='1.0'?><ownershipDocument><documentType>4</documentType></ownershipDocument>"
    filing = read_filing(content)
    assert (filing.form, filing.items) == ("4", ())
    assert filing.notes == ("Form 4 has no numbered items.",)


def test_broken_markup_and_repeated_reading_give_the_same_text() -> None:
    content = b"<html><p>Form 10-K<p><b>Item 1. Business<p>Unclosed <td>cell <i>text</b> and & more"
    first, second = read_filing(content), read_filing(content)
    assert first == second
    assert "Unclosed" in first.text
    assert names(first) == ["1"]


def test_a_quarterly_index_tells_the_parts_apart() -> None:
    pages = {
        "part1item1": "11-13",
        "part1item2": "2-6, 9",
        "part1item3": "7",
        "part1item4": "8",
        "part2item1": "12",
        "part2item1a": "6",
        "part2item2": "10",
        "part2item6": "14",
    }
    rows = "".join(
        f"<tr><td>Item {number}.</td><td>{title}</td><td>{pages[name]}</td></tr>"
        for name, number, title in QUARTER
    )
    index = f"<p><b>Form 10-Q Cross-Reference Index</b></p><table>{rows}</table>"
    filing = read_filing(page("<p><b>FORM 10-Q</b></p>", *sheets(15), index))
    assert set(names(filing)) == set(pages)
    for item, first, last in (
        ("part1item1", 11, 13),
        ("part1item2", 2, 6),
        ("part2item1", 12, 12),
        ("part2item2", 10, 10),
    ):
        text = text_of(filing, item)
        assert {f"mark-{first}.", f"mark-{last}."} <= set(text.split())
        assert not {f"mark-{first - 1}.", f"mark-{last + 1}."} & set(text.split())


def test_titles_that_stand_only_as_headers_of_pages_are_headings_once() -> None:
    def run(header: str, first: int, last: int) -> str:
        return "".join(
            f"<p>{header}</p><p>{PROSE * 6} mark-{n}.</p><p>{n}</p><hr>"
            for n in range(first, last + 1)
        )

    rest = "".join(f"<p><b>Item {n}. {t}</b></p>{body(name, t)}" for name, n, t in QUARTER[2:])
    statements = run("Financial Statements (Unaudited)", 1, 4)
    discussion = run("Management’s Discussion and Analysis", 5, 9)
    filing = read_filing(page("<p><b>FORM 10-Q</b></p><hr>", statements, discussion, rest))
    assert names(filing)[:2] == ["part1item1", "part1item2"]
    assert [f"mark-{n}." in text_of(filing, "part1item1") for n in (1, 4, 5)] == [True, True, False]
    assert [f"mark-{n}." in text_of(filing, "part1item2") for n in (4, 5, 9)] == [False, True, True]
    assert filing.text.count("Discussion and Analysis") == 1


@pytest.mark.parametrize("pages", [True, False], ids=["with pages", "without"])
@pytest.mark.parametrize("listed", [("10", "11", "15"), ("15", "16"), ("8", "9A")], ids=str)
def test_a_list_of_a_part_s_items_is_no_item(listed: tuple[str, ...], pages: bool) -> None:
    titles = {"11": "Executive Compensation", "16": "Form 10-K Summary", **dict(TITLES)}
    contents = "".join(
        f"<tr><td><b>Item {item}.</b></td><td><b>{titles[item]}</b></td>"
        f"<td>{50 + int(item[0]) if pages else ''}</td></tr>"
        for item in listed
    )
    parts = [COVER]
    for item, title in TITLES:
        if item == listed[0]:
            parts.append(f"<p><b>PART</b></p><table>{contents}</table>")
        parts.append(f"<p><b>Item {item}. {title}</b></p>{body(item, title)}")
    assert_whole(read_filing(page(*parts)))


def test_what_cannot_be_told_apart_is_said_and_not_given() -> None:
    parts = [COVER]
    for item, title in TITLES:
        text = "" if item == "2" else body(item, title)
        if item == "4":  # the headings behind it are of no kind that is known
            text = f"<p>{PROSE * 200}</p>"
        if item not in ("5", "7", "7A"):
            parts.append(f"<p><b>Item {item}. {title}</b></p>{text}")
    filing = read_filing(page(*parts))
    assert not {"2", "4", "7"} & set(names(filing))
    assert "The text of these items could not be located: 2, 4, 7." in filing.notes
