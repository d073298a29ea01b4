"""Pairs of real company names from the recorded public lists, with an answer that the lists give.

One ticker in two years or in two lists, one tax id in one state, one website in two lists: the same
company. The nearest other names: different companies.
"""

import csv
import gzip
import io
import json
import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
from rapidfuzz import fuzz

from sightline.domain.names import name_key
from sightline.domain.places import split_place
from sightline.domain.websites import domain_of
from sightline.match.features import FEATURES
from sightline.match.index import Index
from sightline.match.records import Candidate

Pair = tuple[Candidate, Candidate, bool]


def tables(shared: Path) -> dict[str, list[Candidate]]:
    """Lists of records; the id of a record says which company it is, so equal ids are one company."""
    return {
        "employers": _employers(shared / "lists/h1b/h1b_datahubexport-2023.csv.gz"),
        "boards": _boards(shared / "lists/ats_companies"),
        "tickers": _tickers(shared),
    }


def _employers(path: Path) -> list[Candidate]:
    text = gzip.decompress(path.read_bytes())
    encoding = "utf-16" if text[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    found = {}
    for row in csv.DictReader(io.StringIO(text.decode(encoding, "replace"))):
        name, city = row["Employer"].strip(), row["City"].strip()
        if name and city and row["Tax ID"]:
            company = f"{row['Tax ID']}-{row['State']}"
            found[company, name, city] = Candidate(company, name, "US", city.title())
    return list(found.values())


def _boards(folder: Path) -> list[Candidate]:
    found = []
    with (folder / "Use_Greenhouse_As_ATS_companies_Info.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found.append((row["Company Name"], row["Website"], row["Hq"]))
            if row["Greenhouse Company Name"] not in ("", "null", row["Company Name"]):
                found.append((row["Greenhouse Company Name"], row["Website"], row["Hq"]))
    with (folder / "grnhse_1236.csv").open(encoding="utf-8") as file:
        found += [(row[0], row[3], row[4]) for row in csv.reader(file) if len(row) > 4]
    records = []
    for name, website, place in found:
        where = split_place(place)
        domain = domain_of(website)
        if domain and name:
            records.append(Candidate(domain, name, where.country_code, where.city))
    return list(dict.fromkeys(records))


def _tickers(shared: Path) -> list[Candidate]:
    by_ticker: dict[str, set[str]] = defaultdict(set)
    for path in sorted((shared / "lists/sp500_history").glob("*.csv")):
        with path.open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                by_ticker[row["Symbol"]].add(row.get("Name") or row.get("Security") or "")
    for line in (shared / "web/index.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["url"].endswith("/company_tickers.json") and row["status"] == 200:
            body = (shared / "web" / row["file"]).read_bytes()
            body = gzip.decompress(body) if row["encoding"] == "gzip" else body
            for each in json.loads(body).values():
                by_ticker[each["ticker"]].add(each["title"])
    return [
        Candidate(ticker, name, "US")
        for ticker, names in by_ticker.items()
        for name in sorted(names)
        if name
    ]


def alike(left: str, right: str) -> bool:
    """Whether two names that a list gives one id are recognizable as the same company at all."""
    one, other = name_key(left), name_key(right)
    short, long = sorted((one, other), key=len)
    initials = "".join(word[0] for word in long.split())
    if short == initials and len(short) > 2:
        return True
    # Equal ends are "technologies" and "solutions" more often than a company's own name.
    return one[:3] == other[:3] and fuzz.token_set_ratio(one, other) >= 80


def pairs(
    records: Iterable[Candidate], count: int, *, keep_places: float, seed: int = 1
) -> list[Pair]:
    """Same company: two spellings. Different: the nearest names of other companies."""
    random_ = random.Random(seed)
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for record in records:
        groups[record.id].append(record)
    made: list[Pair] = []
    several = [group for group in groups.values() if len({one.name for one in group}) > 1]
    random_.shuffle(several)
    for group in several[:count]:
        left, right = random_.sample(group, 2)
        if left.name != right.name and alike(left.name, right.name):
            made.append((left, right, True))
    chosen = [random_.choice(group) for group in groups.values()]
    index = Index(chosen)
    asked = random_.sample(chosen, min(count, len(chosen)))
    left_at, right_at, features = index.compare_many(asked)
    order = np.lexsort((-features[:, FEATURES.index("cosine")], left_at))
    starts = np.searchsorted(left_at[order], np.arange(len(asked) + 1))
    for number, record in enumerate(asked):
        near = right_at[order[starts[number] : starts[number + 1]]].tolist()
        others = [chosen[row] for row in near if chosen[row].id != record.id]
        for other in others[: random_.randint(1, 3)]:
            # A list has two ids for one company as well: equal names prove nothing.
            if fuzz.token_sort_ratio(name_key(other.name), name_key(record.name)) < 96:
                made.append((record, other, False))
    return [_places(pair, random_.random() < keep_places) for pair in made]


def _places(pair: Pair, keep: bool) -> Pair:
    if keep:
        return pair
    bare = [replace(one, country=None, city=None) for one in pair[:2]]
    return bare[0], bare[1], pair[2]


def two_databases(
    records: Iterable[Candidate], seed: int = 1, size: int = 5000
) -> tuple[list[Candidate], list[Candidate], dict[str, str]]:
    """Left rows, right rows and the right answers; half of the left rows' partners are removed."""
    random_ = random.Random(seed)
    # A share class or a second number is no second company: one name in one place is one company.
    same: dict[tuple[str, str | None], str] = {}
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for record in records:
        groups[same.setdefault((name_key(record.name), record.city), record.id)].append(record)
    left, right, answers = [], [], {}
    companies = list(groups)
    random_.shuffle(companies)
    singles = 0
    for company in companies:
        group = groups[company]
        first = random_.choice(group)
        others = [one for one in group if one.name != first.name and alike(one.name, first.name)]
        number = f"{len(left) + len(right)}"
        if others and len(left) < size:
            left.append(replace(first, id="L" + number))
            if random_.random() < 0.5:
                right.append(replace(random_.choice(others), id="R" + number))
                answers["L" + number] = "R" + number
        elif singles < size:
            singles += 1
            right.append(replace(first, id="R" + number))
    return left, right[: size * 2], answers
