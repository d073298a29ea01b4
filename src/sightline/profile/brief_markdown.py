"""A brief as one page of Markdown, every line with the numbers of its sources."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from sightline.domain.amounts import money, up_or_down
from sightline.domain.signals import dated
from sightline.profile.brief import day_in_words

_PARTS: Final = (
    ("offers", "What they offer", "{text}"),
    ("why_now", "Why now", "**{about}** {text}"),
    ("people", "Key people", "{text}, {about}"),
    ("questions", "Questions to ask", "{text} ({about})"),
)


def markdown(brief: Mapping[str, Any]) -> str:
    """The brief of `read_brief`; parts that nothing is known for are left out, and named at the end."""
    company = brief["company"]
    name = company.get("company_name") or company.get("website_domain") or company["company_id"]
    lines = [f"# {_plain(name)}", "", f"Brief of {day_in_words(brief['as_of'])}", ""]
    lines += [f"*{_plain(brief['note'])}*", ""] if brief["note"] else []
    lines += [f"{_plain(row['text'])}{_cited(row)}" for row in brief["summary"]]
    missing = []
    for title, rows in _parts(brief):
        if title == "What they offer" and not rows:
            continue
        if rows:
            lines += ["", f"## {title}", "", *rows]
        else:
            missing.append(title.lower())
    if missing:
        lines += ["", f"Nothing is known yet for: {', '.join(missing)}."]
    lines += ["", "## Sources", ""]
    lines += [f"{row['n']}. {_source(row)}" for row in brief["sources"]]
    return "\n".join(lines) + "\n"


def _parts(brief: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    parts = [
        ("Figures", [f"- {figure_text(row)}{_cited(row)}" for row in brief["figures"]]),
        ("What changed", [f"- {change_text(row)}{_cited(row)}" for row in brief["changes"]]),
    ]
    for key, title, frame in _PARTS:
        parts.append((title, [f"- {_said(row, frame)}{_cited(row)}" for row in brief[key]]))
    return parts


def figure_text(row: Mapping[str, Any]) -> str:
    """'Revenue: $10.5 billion in FY2025, up 12.3% from the prior year; $9.4 billion in FY2024'"""
    step = row.get("change")
    change = f", {up_or_down(step)} from the prior year" if step is not None else ""
    is_loss = row["amount"] < 0

    def shown(amount: float) -> str:
        """Of a loss its size, and what was none by its own name."""
        text = money(abs(amount) if is_loss else amount, row["currency"])
        return f"income of {text}" if is_loss and amount > 0 else text

    before = [f"; {shown(each['amount'])} in {each['period']}" for each in row["trend"][1:]]
    return f"{row['label']}: {shown(row['amount'])} in {row['period']}{change}{''.join(before)}"


def change_text(row: Mapping[str, Any]) -> str:
    planned = " (planned)" if row["planned"] else ""
    day = dated(date.fromisoformat(row["date"]), row["precision"])
    return f"{day}: {_plain(row['text'])}{planned}"


def _said(row: Mapping[str, Any], frame: str) -> str:
    about, text = row.get("title") or row.get("about"), _plain(row["text"])
    said = frame.format(about=_plain(about), text=text) if about else text
    return (
        f"{said} (as of {day_in_words(row['as_of'])})" if "title" in row and row["as_of"] else said
    )


def _cited(row: Mapping[str, Any]) -> str:
    numbers: Sequence[int] = sorted({each["n"] for each in row["sources"]})
    return "".join(f" [{n}]" for n in numbers)


def _source(row: Mapping[str, Any]) -> str:
    title = _plain(row["title"] or row["url"] or "Your own data")
    day = f", {row['published_at'][:10]}" if row["published_at"] else ""
    return f"{title}{day}" + (f" <{row['url']}>" if row["url"] else "")


def _plain(text: Any) -> str:
    """On one line, with nothing that Markdown would read as its own."""
    words = " ".join(str(text).split())
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#|" else letter for letter in words)
