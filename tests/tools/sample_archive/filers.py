"""The SEC's answers about the invented registrants of `filers/*.toml`: lists of filings, tagged figures, an
annual and a quarterly report each. Their numbers are given to no one."""

import json
import tomllib
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import sec

_FOLDER = Path(__file__).parent / "filers"
_TAGS = {
    "revenue": "Revenues",
    "cost_of_revenue": "CostOfRevenue",
    "gross_profit": "GrossProfit",
    "research_and_development": "ResearchAndDevelopmentExpense",
    "selling_general_and_administrative": "SellingGeneralAndAdministrativeExpense",
    "operating_income": "OperatingIncomeLoss",
    "net_income": "NetIncomeLoss",
    "operating_cash_flow": "NetCashProvidedByUsedInOperatingActivities",
    "cash": "CashAndCashEquivalentsAtCarryingValue",
    "total_assets": "Assets",
    "equity": "StockholdersEquity",
}
_AXES = {
    "segments": "us-gaap:StatementBusinessSegmentsAxis",
    "geography": "srt:StatementGeographicalAxis",
}
_HEAD = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"'
    ' xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:xbrldi="http://xbrl.org/2006/xbrldi"'
    ' xmlns:dei="http://xbrl.sec.gov/dei/2025" xmlns:us-gaap="http://fasb.org/us-gaap/2025"'
    ' xmlns:srt="http://fasb.org/srt/2025" xmlns:co="http://{domain}/2025">'
)
Period = tuple[str, str]


def answers() -> list[tuple[str, str, str]]:
    """Address, media type and body of every answer."""
    rows: list[tuple[str, str, str]] = []
    for path in sorted(_FOLDER.glob("*.toml")):
        rows += _answers(tomllib.loads(path.read_text(encoding="utf-8")))
    return rows


def _answers(filer: dict[str, Any]) -> list[tuple[str, str, str]]:
    cik = filer["cik"]
    folder = f"https://www.sec.gov/Archives/edgar/data/{int(cik)}"
    years = [(f"{year}-01-01", f"{year}-12-31") for year in filer["years"]]
    quarters = [tuple(each) for each in filer["quarters"]]
    annual = _report(filer, filer["annual"], periods=years[-2:], of="years", form="10-K")
    quarterly = _report(
        filer, filer["quarterly"], periods=quarters[-2:], of="quarters", form="10-Q"
    )
    listed = f"https://data.sec.gov/submissions/CIK{cik}.json"
    figures = f"https://data.sec.gov/api/xbrl/companyfacts/CIK{cik}.json"
    rows = [
        (listed, "application/json", json.dumps(_submissions(filer))),
        (figures, "application/json", json.dumps(_company_facts(filer, years, quarters))),
    ]
    for key, text in (("annual", annual), ("quarterly", quarterly)):
        number, name = filer[f"{key}_filing"]["number"], filer[f"{key}_filing"]["file"]
        rows.append((f"{folder}/{number.replace('-', '')}/{name}", "text/html", text))
        form = "10-K" if key == "annual" else "10-Q"
        index = sec.index((number,), [(form, name)], number=int(cik))
        rows.append((f"{folder}/{number}-index.html", "text/html", index))
    return rows


def _submissions(filer: dict[str, Any]) -> dict[str, Any]:
    filings = [
        filer["quarterly_filing"] | {"form": "10-Q"},
        filer["annual_filing"] | {"form": "10-K"},
    ]
    columns = {
        "accessionNumber": "number", "form": "form", "filingDate": "filed", "reportDate": "period",
        "primaryDocument": "file",
    }  # fmt: skip
    recent: dict[str, list[Any]] = {
        column: [each[name] for each in filings] for column, name in columns.items()
    }
    recent |= {"items": ["", ""], "isInlineXBRL": [1, 1], "size": [40_000, 60_000]}
    return {
        "cik": filer["cik"], "entityType": "operating", "sic": filer["sic"],
        "sicDescription": filer["sic_description"], "name": filer["name"].upper(),
        "tickers": [filer["ticker"]], "exchanges": [filer["exchange"]], "ein": "990000099",
        "website": "", "category": "Accelerated filer", "fiscalYearEnd": "1231",
        "stateOfIncorporation": "DE", "addresses": {"business": filer["address"]},
        "phone": filer["phone"], "formerNames": [], "filings": {"recent": recent, "files": []},
    }  # fmt: skip


def _company_facts(
    filer: dict[str, Any], years: Sequence[Period], quarters: Sequence[Period]
) -> dict[str, Any]:
    """The tagged figures of the years and quarters, in dollars."""
    tagged = {}
    for metric, tag in _TAGS.items():
        rows = []
        for of, periods, filing, form in (
            ("years", years, "annual_filing", "10-K"),
            ("quarters", quarters, "quarterly_filing", "10-Q"),
        ):
            for (start, end), amount in zip(
                periods, filer["figures"][of].get(metric, ()), strict=False
            ):
                row = {
                    "start": start, "end": end, "val": round(amount * 1_000_000), "fy": int(end[:4]),
                    "fp": "FY" if of == "years" else f"Q{(int(end[5:7]) + 2) // 3}",
                    "accn": filer[filing]["number"], "form": form, "filed": filer[filing]["filed"],
                }  # fmt: skip
                if metric in ("cash", "total_assets", "equity"):
                    del row["start"]
                rows.append(row)
        if rows:
            tagged[tag] = {"label": metric, "description": metric, "units": {"USD": rows}}
    return {"cik": int(filer["cik"]), "entityName": filer["name"], "facts": {"us-gaap": tagged}}


def _report(filer: dict[str, Any], text: str, *, periods: Sequence[Any], of: str, form: str) -> str:
    """A report in inline XBRL, its parts of revenue tagged in tables."""
    contexts, tables = [], {}
    for part, axis in _AXES.items():
        rows = []
        for n, (name, *amounts) in enumerate(filer[part][of]):
            member = "co:" + "".join(filter(str.isalpha, name.title())) + "Member"
            cells = ""
            for m, (period, amount) in enumerate(zip(periods, amounts, strict=True)):
                key = f"{part}{n}{m}"
                contexts.append(_context(filer["cik"], key, period, axis, member))
                cells += (
                    f'<td><ix:nonFraction name="us-gaap:Revenues" contextRef="{key}" unitRef="usd"'
                    f' scale="6" decimals="-5" format="ixt:num-dot-decimal">{amount}</ix:nonFraction></td>'
                )
            rows.append(f"<tr><td>{escape(name)}</td>{cells}</tr>")
        heads = "".join(f"<td>{end[:4] if of == 'years' else end}</td>" for _, end in periods)
        tables[part] = f"<table><tr><td>(in millions)</td>{heads}</tr>{''.join(rows)}</table>"
    contexts.append(_context(filer["cik"], "whole", periods[-1]))
    header = (
        "<div style='display:none'><ix:header><ix:resources>" + "".join(contexts)
        + '<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>'
        + "</ix:resources></ix:header></div>"
    )  # fmt: skip
    body = "\n".join(_line(line, tables) for line in text.strip().split("\n\n"))
    name = (
        '<p><ix:nonNumeric name="dei:EntityRegistrantName" contextRef="whole">'
        f"{escape(filer['name'])}</ix:nonNumeric></p>"
    )
    head = _HEAD.format(domain=filer["domain"])
    front = f"<p>UNITED STATES SECURITIES AND EXCHANGE COMMISSION</p><p>FORM {form}</p>{name}"
    return f"{head}<head><title>{form}</title></head><body>{header}{front}{body}</body></html>"


def _line(text: str, tables: dict[str, str]) -> str:
    """A paragraph; a heading where it begins with #, a table of signatures with /s/, a table by its name."""
    if text.strip("[]") in tables:
        return tables[text.strip("[]")]
    if text.startswith("# "):
        return f"<p><b>{escape(text[2:], quote=False)}</b></p>"
    if text.startswith("/s/"):
        rows = [line.split(" | ") for line in text.splitlines()]
        cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"
    return f"<p>{escape(' '.join(text.split()), quote=False)}</p>"


def _context(cik: str, key: str, period: Period, axis: str = "", member: str = "") -> str:
    segment = ""
    if member:
        explicit = f'<xbrldi:explicitMember dimension="{axis}">{member}</xbrldi:explicitMember>'
        segment = f"<xbrli:segment>{explicit}</xbrli:segment>"
    identifier = f'<xbrli:identifier scheme="http://www.sec.gov/CIK">{cik}</xbrli:identifier>'
    return (
        f'<xbrli:context id="{key}"><xbrli:entity>{identifier}{segment}</xbrli:entity><xbrli:period>'
        f"<xbrli:startDate>{period[0]}</xbrli:startDate><xbrli:endDate>{period[1]}</xbrli:endDate>"
        "</xbrli:period></xbrli:context>"
    )
