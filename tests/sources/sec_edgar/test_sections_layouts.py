"""Layouts of old text filings and of current reports: each item holds its own mark and no other."""

import pytest

from sightline.sources.sec_edgar.filing import Filing, read_filing

PROSE = "The company keeps the lamps of forty harbors burning under long service contracts. " * 12
OLD_TITLES = {
    "1": "Business",
    "2": "Properties",
    "3": "Legal Proceedings",
    "4": "Submission of Matters to a Vote of Security Holders",
    "5": "Market for Registrant's Common Equity and Related Stockholder Matters",
    "6": "Selected Financial Data",
    "7": "Management's Discussion and Analysis of Financial Condition",
    "8": "Financial Statements and Supplementary Data",
    "9": "Changes in and Disagreements with Accountants",
    "10": "Directors and Executive Officers of the Registrant",
    "11": "Executive Compensation",
    "12": "Security Ownership of Certain Beneficial Owners and Management",
    "13": "Certain Relationships and Related Transactions",
    "14": "Exhibits, Financial Statement Schedules and Reports on Form 8-K",
}
COVER = "FORM 10-K\n\nANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d)\n\n"
SIGNED = (
    "\n\n                    SIGNATURES\n\nPursuant to the requirements of the Act it is signed.\n"
)


def body(item: str) -> str:
    return f"mark-{item} {PROSE}"


def report(heads: dict[str, str], between: str = "\n\n") -> Filing:
    parts = [f"{head}\n\n{body(item)}" for item, head in heads.items()]
    return read_filing((COVER + between.join(parts) + SIGNED).encode(), form="10-K")


def marks(filing: Filing) -> dict[str, set[str]]:
    return {
        each.item: {
            word for word in filing.text[each.start : each.end].split() if word.startswith("mark-")
        }
        for each in filing.items
    }


def own(items: list[str]) -> dict[str, set[str]]:
    return {item: {f"mark-{item}"} for item in items}


def test_a_heading_at_the_top_of_each_page_is_no_running_header() -> None:
    heads = {item: f"ITEM {item}\n\n{title.upper()}" for item, title in OLD_TITLES.items()}
    filing = report(heads, between="\n\n                 7\n<PAGE>   7\n")
    assert marks(filing) == own(list(OLD_TITLES))


def test_titles_without_numbers_are_found_beside_a_contents_table_with_other_pages() -> None:
    contents = "".join(
        f"Item {item:3} {title[:44]:.<56} {3 * page + 40}\n"
        for page, (item, title) in enumerate(OLD_TITLES.items())
    )
    heads = {item: " " * 16 + title.upper() for item, title in OLD_TITLES.items()}
    heads["1"] = f"{contents}\n\n{heads['1']}"
    assert marks(report(heads)) == own(list(OLD_TITLES))


@pytest.mark.parametrize("moved", ["7", "4"])
def test_an_item_out_of_the_form_s_order_is_found(moved: str) -> None:
    order = [item for item in OLD_TITLES if item != moved]
    order.insert(order.index(str(int(moved) + 1)) + 1, moved)
    filing = report({item: f"ITEM {item}.  {OLD_TITLES[item].upper()}" for item in order})
    assert marks(filing) == own(order)


@pytest.mark.parametrize(
    ("heading", "items"),
    [
        ("Item 1. and Item 2. Business and Properties", ["1", "2"]),
        ("Item 1 & 2. Business and Properties", ["1", "2"]),
        ("Items 10 through 13.", ["10", "11", "12", "13"]),
        ("ITEM 7/7A. MANAGEMENT'S DISCUSSION AND ANALYSIS; MARKET RISK", ["7", "7A"]),
    ],
)
def test_combined_headings(heading: str, items: list[str]) -> None:
    heads = {
        item: f"Item {item}. {title}" for item, title in OLD_TITLES.items() if item not in items
    }
    at = sorted({*heads, items[0]}, key=int)
    filing = report({item: heads.get(item, heading) for item in at})
    found = marks(filing)
    assert set(found) == {*OLD_TITLES, *items}
    assert all(found[item] == {f"mark-{items[0]}"} for item in items)


def test_items_answered_beside_their_titles_are_no_contents_table() -> None:
    listed = "".join(
        f"Item {item}.  {title:50} None\n"
        for item, title in (
            ("1", "Legal Proceedings"),
            ("2", "Changes in Securities"),
            ("3", "Defaults Upon Senior Securities"),
            ("4", "Submission of Matters to a Vote"),
            ("5", "Other Information"),
            ("6", "Exhibits and Reports on Form 8-K"),
        )
    )
    text = (
        f"FORM 10-Q\n\nPART I\n\nItem 1.  Financial Statements\n\n{body('a')}\n\n"
        f"Item 2.  Management's Discussion and Analysis\n\n{body('b')}\n\nPART II\n\n{listed}"
    )
    filing = read_filing((text + SIGNED).encode(), form="10-Q")
    assert marks(filing)["part1item1"] == {"mark-a"}
    assert marks(filing)["part1item2"] == {"mark-b"}
    assert {each.item for each in filing.items if each.omitted} >= {
        f"part2item{number}" for number in range(1, 6)
    }


@pytest.mark.parametrize("heading", ["Item 2.02 and 7.01.", "Item 2.02 and Item 7.01."])
def test_combined_items_of_a_current_report(heading: str) -> None:
    text = f"FORM 8-K\n\n{heading} Results of Operations; Regulation FD\n\n{body('a')}\n\n"
    filing = read_filing((text + "Item 9.01 Exhibits\n\n" + body("b")).encode(), form="8-K")
    assert marks(filing) == {"2.02": {"mark-a"}, "7.01": {"mark-a"}, "9.01": {"mark-b"}}


def test_what_is_said_in_the_heading_itself_counts() -> None:
    heads = {item: f"ITEM {item}.  {title.upper()}" for item, title in OLD_TITLES.items()}
    parts = [f"{head}\n\n{body(item)}" for item, head in heads.items() if item not in ("6", "10")]
    parts.insert(5, heads["6"] + " [RESERVED]")
    parts.insert(9, heads["10"] + ".  Incorporated by reference to the proxy statement.")
    filing = read_filing((COVER + "\n\n".join(parts) + SIGNED).encode(), form="10-K")
    found = {each.item: each for each in filing.items}
    assert found["6"].omitted
    assert found["10"].incorporated_by_reference
