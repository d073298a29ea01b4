"""The SEC's answers about one invented registrant. Its number, 0009999901, is given to no one."""

import json
from typing import Any

CIK = "0009999901"
NAME = "NORTHQUAY ROBOTICS, INC."
_FOLDER = "https://www.sec.gov/Archives/edgar/data/9999901"
_ANNUAL = ("0009999901-26-000012", "10-K", "2026-03-02", "2025-12-31", "nqrb-20251231.htm", "")
_RESULTS = (
    "0009999901-26-000031",
    "8-K",
    "2026-08-20",
    "2026-08-19",
    "nqrb-20260819.htm",
    "2.01,9.01",
)
_INSIDER = ("0009999901-26-000027", "4", "2026-06-05", "2026-06-03", "xslF345X05/form4.xml", "")
_FILINGS = (_RESULTS, _INSIDER, _ANNUAL)
_XBRL_HEAD = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"'
    ' xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:xbrldi="http://xbrl.org/2006/xbrldi"'
    ' xmlns:dei="http://xbrl.sec.gov/dei/2025" xmlns:us-gaap="http://fasb.org/us-gaap/2025"'
    ' xmlns:nqrb="http://northquay-robotics.example/20251231">'
)
_SEGMENTS = {
    "nqrb:WarehouseRobotsMember": ("Warehouse Robots", 131, 112),
    "nqrb:SoftwareAndServicesMember": ("Software and Services", 51, 37),
}


def answers() -> list[tuple[str, str, str]]:
    """Address, media type and body of every answer."""
    company = {"cik_str": int(CIK), "ticker": "NQRB", "title": NAME}
    exchange = {
        "fields": ["cik", "name", "ticker", "exchange"],
        "data": [[int(CIK), NAME, "NQRB", "Nasdaq"]],
    }
    found = [
        ("https://www.sec.gov/files/company_tickers.json", json.dumps({"0": company})),
        ("https://www.sec.gov/files/company_tickers_exchange.json", json.dumps(exchange)),
        (f"https://data.sec.gov/submissions/CIK{CIK}.json", json.dumps(submissions())),
        (f"https://data.sec.gov/api/xbrl/companyfacts/CIK{CIK}.json", json.dumps(company_facts())),
    ]
    rows = [(url, "application/json", text) for url, text in found]
    folder = {row[0]: f"{_FOLDER}/{row[0].replace('-', '')}" for row in _FILINGS}
    documents = [
        (f"{folder[_ANNUAL[0]]}/nqrb-20251231.htm", "text/html", annual_report()),
        (f"{folder[_ANNUAL[0]]}/nqrb-ex21.htm", "text/html", _page(_SUBSIDIARIES)),
        (f"{folder[_RESULTS[0]]}/nqrb-20260819.htm", "text/html", _page(_CURRENT_REPORT)),
        (f"{folder[_RESULTS[0]]}/nqrb-ex991.htm", "text/html", _page(_PRESS_RELEASE)),
        (f"{folder[_INSIDER[0]]}/form4.xml", "text/xml", _FORM_4),
    ]
    listed = {_ANNUAL: [("10-K", "nqrb-20251231.htm"), ("EX-21.1", "nqrb-ex21.htm")],
              _RESULTS: [("8-K", "nqrb-20260819.htm"), ("EX-99.1", "nqrb-ex991.htm")]}  # fmt: skip
    for row, files in listed.items():
        documents.append((f"{_FOLDER}/{row[0]}-index.html", "text/html", index(row, files)))
    return rows + documents


def submissions() -> dict[str, Any]:
    """The registrant and its filings."""
    columns = ("accessionNumber", "form", "filingDate", "reportDate", "primaryDocument", "items")
    recent: dict[str, list[Any]] = {
        name: [row[n] for row in _FILINGS] for n, name in enumerate(columns)
    }
    recent["isInlineXBRL"] = [0, 0, 1]
    recent["size"] = [20000, 4000, 60000]
    return {
        "cik": CIK, "entityType": "operating", "sic": "3569",
        "sicDescription": "General Industrial Machinery & Equipment, NEC",
        "insiderTransactionForIssuerExists": 1, "name": NAME, "tickers": ["NQRB"],
        "exchanges": ["Nasdaq"], "ein": "990000018", "website": "", "category": "Accelerated filer",
        "fiscalYearEnd": "1231", "stateOfIncorporation": "DE",
        "addresses": {"business": {
            "street1": "410 HARBOR AVENUE", "street2": None, "city": "BOSTON",
            "stateOrCountry": "MA", "zipCode": "02210", "stateOrCountryDescription": "MA"}},
        "phone": "617-555-0148",
        "formerNames": [{"name": "ICE HOUSE AUTOMATION INC", "from": "2011-05-01", "to": "2014-02-10"}],
        "filings": {"recent": recent, "files": []},
    }  # fmt: skip


def company_facts() -> dict[str, Any]:
    """Figures of two years."""

    def figures(*values: tuple[int, int]) -> list[dict[str, Any]]:
        return [
            {"start": f"{year}-01-01", "end": f"{year}-12-31", "val": value, "fy": year, "fp": "FY",
             "accn": _ANNUAL[0], "form": "10-K", "filed": _ANNUAL[2], "frame": f"CY{year}"}
            for year, value in values
        ]  # fmt: skip

    def tag(label: str, rows: list[dict[str, Any]], unit: str = "USD") -> dict[str, Any]:
        return {"label": label, "description": label, "units": {unit: rows}}

    shares = [{"end": "2026-02-20", "val": 41_300_000, "fy": 2025, "fp": "FY", "accn": _ANNUAL[0],
               "form": "10-K", "filed": _ANNUAL[2]}]  # fmt: skip
    revenue = figures((2024, 149_000_000), (2025, 182_000_000))
    income = figures((2024, -8_400_000), (2025, 6_100_000))
    name = "RevenueFromContractWithCustomerExcludingAssessedTax"
    return {
        "cik": int(CIK),
        "entityName": "Northquay Robotics, Inc.",
        "facts": {
            "dei": {"EntityCommonStockSharesOutstanding": tag("Shares", shares, "shares")},
            "us-gaap": {name: tag("Revenue", revenue), "NetIncomeLoss": tag("Net income", income)},
        },
    }


def annual_report() -> str:
    """A short 10-K in inline XBRL."""
    contexts = [_context("y25", 2025), _context("y24", 2024)]
    rows = [_row("Total revenue", "us-gaap:Revenues", ("y25", 182), ("y24", 149))]
    for number, (member, (label, now, before)) in enumerate(_SEGMENTS.items()):
        contexts += [_context(f"s{number}25", 2025, member), _context(f"s{number}24", 2024, member)]
        pair = ((f"s{number}25", now), (f"s{number}24", before))
        rows.insert(number, _row(label, "us-gaap:Revenues", *pair))
    header = (
        "<div style='display:none'><ix:header><ix:resources>" + "".join(contexts)
        + '<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>'
        + "</ix:resources></ix:header></div>"
    )  # fmt: skip
    table = "<table><tr><td>(in millions)</td><td>2025</td><td>2024</td></tr>" + "".join(rows)
    body = _ANNUAL_TEXT.replace("[[segments]]", table + "</table>")
    return (
        f"{_XBRL_HEAD}<head><title>nqrb-20251231</title></head><body>{header}{body}</body></html>"
    )


def _context(key: str, year: int, member: str | None = None) -> str:
    segment = ""
    if member:
        axis = "us-gaap:StatementBusinessSegmentsAxis"
        explicit = f'<xbrldi:explicitMember dimension="{axis}">{member}</xbrldi:explicitMember>'
        segment = f"<xbrli:segment>{explicit}</xbrli:segment>"
    identifier = f'<xbrli:identifier scheme="http://www.sec.gov/CIK">{CIK}</xbrli:identifier>'
    return (
        f'<xbrli:context id="{key}"><xbrli:entity>{identifier}{segment}</xbrli:entity><xbrli:period>'
        f"<xbrli:startDate>{year}-01-01</xbrli:startDate><xbrli:endDate>{year}-12-31</xbrli:endDate>"
        "</xbrli:period></xbrli:context>"
    )


def _row(label: str, name: str, *values: tuple[str, int]) -> str:
    cells = "".join(
        f'<td><ix:nonFraction name="{name}" contextRef="{key}" unitRef="usd" scale="6" decimals="-6"'
        f' format="ixt:num-dot-decimal">{value}</ix:nonFraction></td>'
        for key, value in values
    )
    return f"<tr><td>{label}</td>{cells}</tr>"


def _page(text: str) -> str:
    return f"<html><head><title>Filed document</title></head><body>{text}</body></html>"


def index(row: tuple[str, ...], files: list[tuple[str, str]], *, number: int = 9_999_901) -> str:
    """The page that lists the files of a filing."""
    folder = f"/Archives/edgar/data/{number}/{row[0].replace('-', '')}"
    lines = "".join(
        f'<tr><td>{n}</td><td>{kind}</td><td><a href="{folder}/{name}">{name}</a></td><td>{kind}</td>'
        "<td>9000</td></tr>"
        for n, (kind, name) in enumerate(files, 1)
    )
    head = "<tr><th>Seq</th><th>Description</th><th>Document</th><th>Type</th><th>Size</th></tr>"
    return _page(f'<table class="tableFile" summary="Document Format Files">{head}{lines}</table>')


_ANNUAL_TEXT = """
<p>UNITED STATES SECURITIES AND EXCHANGE COMMISSION</p><p>FORM 10-K</p>
<p>ANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934</p>
<p>For the fiscal year ended December 31, 2025</p>
<p><ix:nonNumeric name="dei:EntityRegistrantName" contextRef="y25">
Northquay Robotics, Inc.</ix:nonNumeric></p>
<p><b>PART I</b></p>
<p><b>Item 1. Business</b></p>
<p>Northquay Robotics, Inc. designs, makes and services autonomous mobile robots for refrigerated and
frozen warehouses. Our robots carry pallets between loading dock and storage rack at temperatures as low
as minus 28 degrees Celsius, and our Tideplan software assigns their work.</p>
<p>As of December 31, 2025, we had 840 full-time employees, of whom 612 were in the United States.</p>
<p>We sell directly to operators of cold stores and to food manufacturers. Halvorsen Seafood and Prairie
Cold Logistics each accounted for more than ten percent of revenue in 2025. We compete with Glacis
Automation and with makers of manned forklifts.</p>
<p>Our website is www.northquay-robotics.example.</p>
<p><b>Item 1A. Risk Factors</b></p>
<p>Two customers account for a large part of our revenue, and the loss of either would harm our results.
Lithium cells for low temperatures come from a single supplier in South Korea. Our move to a second plant
in Dayton, Ohio, may take longer and cost more than planned.</p>
<p>Our robots work among people. An accident could lead to claims beyond our insurance and to a halt of
deliveries while it is investigated.</p>
<p><b>Item 2. Properties</b></p>
<p>We lease 9,400 square metres in Boston, Massachusetts, and 14,000 square metres in Dayton, Ohio.</p>
<p><b>PART II</b></p>
<p><b>Item 7. Management's Discussion and Analysis of Financial Condition and Results of Operations</b></p>
<p>Revenue grew by 22 percent to 182 million dollars in 2025, because we delivered 1,140 robots after 905
in the year before and because more customers pay for Tideplan by subscription. Net income was 6.1 million
dollars after a loss of 8.4 million dollars.</p>
[[segments]]
<p>We expect to spend about 25 million dollars on the Dayton plant and on a new enterprise resource
planning system in 2026.</p>
<p><b>Item 8. Financial Statements and Supplementary Data</b></p>
<p>The statements follow this report.</p>
<p><b>PART III</b></p>
<p><b>Item 10. Directors, Executive Officers and Corporate Governance</b></p>
<p>Incorporated by reference to our proxy statement.</p>
<p><b>SIGNATURES</b></p>
<p>Pursuant to the requirements of the Securities Exchange Act of 1934, this report has been signed below.</p>
<table><tr><td>/s/ Dana Whitcombe</td><td>Chief Executive Officer and Director</td><td>March 2, 2026</td></tr>
<tr><td>/s/ Walter Inkpen</td><td>Chief Financial Officer</td><td>March 2, 2026</td></tr></table>
"""
_SUBSIDIARIES = """<p>Exhibit 21.1</p><p>Subsidiaries of Northquay Robotics, Inc.</p>
<table><tr><td>Name</td><td>Jurisdiction</td></tr>
<tr><td>Northquay Manufacturing LLC</td><td>Ohio</td></tr>
<tr><td>Northquay Robotics Europe B.V.</td><td>Netherlands</td></tr></table>"""
_CURRENT_REPORT = """<p>FORM 8-K</p><p>CURRENT REPORT</p><p>Date of Report: August 19, 2026</p>
<p>NORTHQUAY ROBOTICS, INC.</p>
<p><b>Item 2.01 Completion of Acquisition or Disposition of Assets.</b></p>
<p>On August 19, 2026, Northquay Robotics, Inc. completed the acquisition of all shares of Frostline Vision
Inc., a maker of industrial cameras in Quebec, Canada, for 46 million dollars in cash.</p>
<p><b>Item 9.01 Financial Statements and Exhibits.</b></p>
<p>(d) Exhibits. 99.1 Press release dated August 19, 2026.</p>
<p>SIGNATURE</p><p>/s/ Renata Ashgrove, Chief Financial Officer</p>"""
_PRESS_RELEASE = """<p>Exhibit 99.1</p><p><b>Northquay Robotics acquires Frostline Vision</b></p>
<p>BOSTON, August 19, 2026. Northquay Robotics, Inc. (NASDAQ: NQRB) today announced that it has acquired
Frostline Vision, a Quebec maker of cameras that see through condensation, for 46 million dollars.</p>
<p>"Their cameras keep working where ours go blind," said Dana Whitcombe, Chief Executive Officer.</p>"""
_FORM_4 = f"""<?xml version="1.0"?>
<ownershipDocument><schemaVersion>X0508</schemaVersion><documentType>4</documentType>
<periodOfReport>2026-06-03</periodOfReport>
<issuer><issuerCik>{CIK}</issuerCik><issuerName>{NAME}</issuerName>
<issuerTradingSymbol>NQRB</issuerTradingSymbol></issuer>
<reportingOwner><reportingOwnerId><rptOwnerCik>0009999902</rptOwnerCik>
<rptOwnerName>Brandvold Tomasz</rptOwnerName></reportingOwnerId>
<reportingOwnerRelationship><isDirector>1</isDirector><isOfficer>1</isOfficer>
<officerTitle>Chief Technology Officer</officerTitle></reportingOwnerRelationship></reportingOwner>
<nonDerivativeTable><nonDerivativeTransaction><securityTitle><value>Common Stock</value></securityTitle>
<transactionDate><value>2026-06-03</value></transactionDate>
<transactionCoding><transactionFormType>4</transactionFormType><transactionCode>S</transactionCode>
</transactionCoding><transactionAmounts>
<transactionShares><value>12000</value></transactionShares>
<transactionPricePerShare><value>58.10</value></transactionPricePerShare>
<transactionAcquiredDisposedCode><value>D</value></transactionAcquiredDisposedCode>
</transactionAmounts></nonDerivativeTransaction></nonDerivativeTable>
<ownerSignature><signatureName>/s/ Tomasz Brandvold</signatureName>
<signatureDate>2026-06-05</signatureDate></ownerSignature></ownershipDocument>
"""
