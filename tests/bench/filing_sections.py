"""Seconds, peak memory and items found per filing, beside edgartools and sec-parser, in one run.

Each reading is done in a process of its own, so that peaks are comparable; the interpreter with
the imports done is the base that memory is counted from and the clock starts after. Comparators that
`--python` (an interpreter with them installed) lacks are left out. Prints a JSON object.

    .venv/bin/python tests/bench/filing_sections.py --python OTHER/bin/python [--only 10-K] [--limit 8]
"""

import argparse
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
WANTED = {
    "10-K": ("1", "1A", "7"),
    "10-Q": ("part1item1", "part1item2", "part2item1a"),
}
MARKUP = {
    "1": (1.2, 9),
    "1A": (1.1, 3),
    "7": (1.5, 14),
    "part1item1": (6, 40),
    "part1item2": (2, 20),
    "part2item1a": (1.1, 6),
}
"""How many bytes of HTML a character of text takes in each: prose least, tagged tables most."""
READERS = {
    "sightline": """
from sightline.sources.sec_edgar.filing import read_filing
def read(content, form):
    filing = read_filing(content, form=form)
    return {each.item: each.end - each.start for each in filing.items}
""",
    "edgartools": """
from edgar.documents import HTMLParser, ParserConfig
def read(content, form):
    parsed = HTMLParser(ParserConfig(form=form)).parse(content.decode("utf-8", "replace"))
    found = {}
    for name, section in parsed.sections.items():
        item = str(getattr(section, "item", None) or name).lower().replace("item", "").strip(" _")
        part = str(getattr(section, "part", None) or "").lower()
        if form == "10-Q":
            item = f"part{ {'i': 1, 'ii': 2, '1': 1, '2': 2}.get(part, 0) }item{item}"
        else:
            item = item.upper()
        found[item] = len(section.text() or "")
    return found
""",
    "sec-parser": """
import re, warnings
warnings.simplefilter("ignore")
import sec_parser
def read(content, form):
    elements = sec_parser.Edgar10QParser().parse(content.decode("utf-8", "replace"))
    tree = sec_parser.TreeBuilder().build(elements)
    found = {}
    for node in tree.nodes:
        kind = getattr(node.semantic_element, "section_type", None)
        name = getattr(kind, "identifier", "")
        text = node.semantic_element.text
        if form == "10-K":
            match = re.match(r"\\s*item\\s*(\\d+[A-C]?)", text, re.I)
            name = match[1].upper() if match else ""
        if name:
            body = sum(len(each.semantic_element.text) for each in node.get_descendants())
            found[name] = found.get(name, 0) + body
    return found
""",
}
RUN = """
import json, resource, sys, time
{reader}
content = open(sys.argv[1], "rb").read()
base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
begun = time.perf_counter()
try:
    found, error = read(content, sys.argv[2]), None
except Exception as failure:
    found, error = {{}}, f"{{type(failure).__name__}}: {{failure}}"[:200]
seconds = time.perf_counter() - begun
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print("RESULT" + json.dumps({{"found": found, "error": error, "seconds": seconds,
      "megabytes": (peak - base) / 1024, "peak_megabytes": peak / 1024}}))
"""


def run(reader: str, interpreter: str, file: Path, form: str) -> dict[str, Any] | None:
    """One reading; None where the reader is not installed."""
    done = subprocess.run(
        [interpreter, "-c", RUN.format(reader=READERS[reader]), str(file), form],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env={**os.environ, "EDGAR_IDENTITY": "Bench bench@bench.example"},
    )
    marked = [line for line in done.stdout.splitlines() if line.startswith("RESULT")]
    if not marked:
        print(done.stderr[-300:], file=sys.stderr)
        return None
    result: dict[str, Any] = json.loads(marked[-1].removeprefix("RESULT"))
    return result


def near(found: dict[str, int], expected: dict[str, int], item: str) -> bool:
    """Whether an item's text has a length that fits its labelled length in the HTML source."""
    if not found.get(item):
        return False
    low, high = MARKUP[item]
    return low <= expected[item] / found[item] <= high


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--python", default=sys.executable)
    arguments.add_argument("--only", choices=sorted(WANTED))
    arguments.add_argument("--limit", type=int, default=1_000)
    options = arguments.parse_args()
    data = Path(os.environ.get("SIGHTLINE_SHARED", ROOT.parent / "shared")) / "data"
    index = json.loads((data / "labelled/sec_sections/index.json").read_text())
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in READERS}
    absent: set[str] = set()
    chosen = [each for each in index if options.only in (None, each["form"])][: options.limit]
    with tempfile.TemporaryDirectory() as folder:
        for entry in chosen:
            form = entry["form"]
            file = Path(folder) / "filing.htm"
            file.write_bytes(gzip.decompress((data / entry["document"]).read_bytes()))
            labels = json.loads((data / entry["expected"]).read_text())
            expected = {each["identifier"]: each["character_count"] for each in labels}
            for reader in READERS:
                if reader in absent:
                    continue
                interpreter = sys.executable if reader == "sightline" else options.python
                result = run(reader, interpreter, file, form)
                if result is None:
                    absent.add(reader)
                    continue
                present = [item for item in WANTED[form] if expected.get(item)]
                result["named"] = sum(item in result["found"] for item in present)
                result["near"] = sum(near(result["found"], expected, item) for item in present)
                result["wanted"] = len(present)
                rows[reader].append(result)
    print(json.dumps({name: summary(each) for name, each in rows.items() if each}, indent=2))
    if absent:
        print(f"Not installed, left out: {', '.join(sorted(absent))}", file=sys.stderr)


def summary(results: list[dict[str, Any]]) -> dict[str, Any]:
    seconds = [each["seconds"] for each in results]
    wanted = sum(each["wanted"] for each in results)
    return {
        "filings": len(results),
        "items_named": round(sum(each["named"] for each in results) / wanted, 3),
        "items_of_right_length": round(sum(each["near"] for each in results) / wanted, 3),
        "seconds_median": round(statistics.median(seconds), 3),
        "seconds_max": round(max(seconds), 3),
        "megabytes_over_base_max": round(max(each["megabytes"] for each in results), 1),
        "peak_megabytes_max": round(max(each["peak_megabytes"] for each in results), 1),
        "failures": [each["error"] for each in results if each["error"]][:3],
    }


if __name__ == "__main__":
    main()
