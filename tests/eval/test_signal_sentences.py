"""Quality floors of signals read out of sentences. The numbers only rise.

All sentences were written before any pattern ran on them. Training (tests/bench/train_signals.py) now
reads them too, so most floors only say that nothing learnt was lost; what the files named `*_more.tsv` say
is what to expect of other people's sentences, for nothing is ever trained on those. Micro F1 is over
types: a wrong type counts as false and as missed, silence as missed.
"""

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from sightline.domain.signals import SignalType, family_of
from sightline.signals.text import detect, read

DATA = Path(__file__).parent / "data"
SENTENCES = DATA / "signal_sentences.tsv"
NEWS = DATA / "signal_news.tsv"
MORE_NEWS = DATA / "signal_news_more.tsv"
TODAY = date(2025, 6, 15)
NEWS_FLOOR, NEWS_FAMILY_FLOOR = 0.97, 0.97
MORE_NEWS_FLOOR, MORE_NEWS_FAMILY_FLOOR = 0.93, 0.96
# Sentences as they follow each other in articles, half of them without news. At first sight, before any
# of their errors were learnt from in other words: 0.70 by type and 0.75 by family, then 0.60 and 0.66 on
# the second set, which is the most oblique, and 0.86 and 0.86 on the third. Floors by type and by family.
ARTICLES = {
    "signal_articles.tsv": (0.97, 0.97),
    "signal_articles_more.tsv": (0.84, 0.87),
    "signal_articles_third.tsv": (0.97, 0.97),
    # Labelled by the taxonomy alone: 0.80 and 0.83 at first sight. The second set, written after those
    # errors were learnt from and more oblique, had 0.68 and 0.76 at first sight.
    "signal_agency.tsv": (0.96, 0.96),
    "signal_agency_more.tsv": (0.94, 0.94),
    # 0.77 and 0.82 at first sight; 0.75 and 0.77 on the second set, whose errors were never looked at;
    # 0.60 and 0.68 on the third, the most oblique, before it was learnt from.
    "signal_wires.tsv": (0.97, 0.97),
    "signal_wires_more.tsv": (0.85, 0.87),
    "signal_idioms.tsv": (0.97, 0.97),
    # 0.78 and 0.81 at first sight. The second set had 0.74 and 0.79 then, and nothing of it was ever
    # looked at: its numbers are the honest ones.
    "signal_papers.tsv": (0.97, 0.97),
    "signal_papers_more.tsv": (0.84, 0.84),
    # 0.76 and 0.83 at first sight; 0.80 and 0.82 on the second set. The third, the most oblique of all,
    # had 0.58 and 0.66 at first sight (0.55 and 0.61 before words were grouped); nothing of it was ever
    # looked at.
    "signal_desk.tsv": (0.97, 0.97),
    "signal_desk_more.tsv": (0.95, 0.95),
    "signal_press_more.tsv": (0.58, 0.64),
}
# Ordinary sentences of trade papers, wires and regional business journals, of every type; a fifth to a
# quarter without news. 0.92 and 0.93 at first sight; 0.77 and 0.86 on the second set, whose wordings are
# partly in the templates; 0.89 and 0.90 on the third, which came after them and was never looked at.
# Floors by type and by family, and the largest share of sentences without news in which some is heard.
ORDINARY = {
    "signal_gazette.tsv": (0.97, 0.97, 0.05),
    "signal_gazette_more.tsv": (0.8, 0.87, 0.12),
    "signal_gazette_third_more.tsv": (0.88, 0.9, 0.2),
}
# Sets with marked evidence: the share of tellings whose evidence touches what proves them, the share of
# its words that are within the marks, and how often planned and done are told apart.
EVIDENCE = {
    "signal_desk.tsv": (0.99, 0.88, 0.9),
    "signal_desk_more.tsv": (0.97, 0.88, 0.76),
    "signal_press_more.tsv": (0.97, 0.95, 0.85),
}
LOUD = 0.19  # share of sentences without news in which some is heard

# What a list of words would find: the baseline to be well ahead of.
KEYWORDS = {
    "acquires": "acqui|buy|purchase|takeover",
    "merges_with": "merge",
    "sells_assets_to": "sell|sold|sale of",
    "divests": "divest",
    "spins_off": "spin",
    "rebrands": "rebrand|new name",
    "bankruptcy": "bankrupt|chapter 11",
    "receives_financing": "raise|funding|financing|series|grant",
    "invests_into": "invest|stake",
    "goes_public": "ipo|public offering|debut|listing",
    "earnings_released": "revenue|profit|earnings|results",
    "hires": "appoint|hire|named|joins",
    "promotes": "promot",
    "leaves": "resign|step|leave|depart",
    "retires_from": "retire",
    "board_change": "board",
    "launches": "launch|introduc|unveil|release",
    "is_developing": "develop|trial|testing",
    "integrates_with": "integrat",
    "receives_award": "award|prize|won",
    "recognized_as": "recogni|ranked|leader",
    "partners_with": "partner|collabor|agreement",
    "signs_new_client": "contract|select|customer",
    "expands_to": "expan|enter",
    "opens_new_location": "open|new office|headquarters",
    "closes_offices_in": "clos|shut",
    "headcount_increase": "jobs|workforce",
    "layoffs": "lay off|laying off|layoff|job cuts|cut",
    "files_suit_against": "sue|lawsuit|court",
    "has_issues_with": "issue|recall|problem|delay|strike",
    "security_incident": "hack|breach|ransomware",
    "regulatory_action": "fine|investigat|fda|regulator",
    "cost_cutting": "cost",
    "strategic_priority_stated": "priority|focus",
}
KEYWORD_PATTERNS = {
    kind: re.compile(rf"\b(?:{words})", re.IGNORECASE) for kind, words in KEYWORDS.items()
}

MARKS = re.compile(r"\[\[|\]\]")  # around the evidence in some sets

Row = tuple[frozenset[str], str, str]


def rows(file: Path = SENTENCES) -> list[Row]:
    """(accepted types, company, sentence); more accepted types follow the sentence after a bar, and a plus
    joins types that are all wanted."""
    found = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            kinds, company, text = line.split("\t")
            text, *more = MARKS.sub("", text).split("|")
            kinds = kinds.replace("~", "")
            found.append((frozenset({*kinds.split("|"), *more}), company, text))
    return found


def marked_rows(file: Path) -> list[tuple[set[str], str, tuple[int, int], bool]]:
    """(accepted types, sentence, where its evidence stands, whether it lies ahead) of marked sentences."""
    found = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if "[[" in line and not line.startswith("#"):
            kinds, _, text = line.split("\t")
            marked, *more = text.split("|")
            span = (marked.index("[["), marked.index("]]") - 2)
            accepted = {*re.split(r"[|+]", kinds.replace("~", "")), *more}
            found.append((accepted, MARKS.sub("", marked), span, "~" in kinds))
    return found


def by_keywords(text: str, company: str) -> list[str]:
    """The type whose word comes first."""
    places = {
        kind: match.start()
        for kind, pattern in KEYWORD_PATTERNS.items()
        if (match := pattern.search(text))
    }
    return [min(places, key=lambda kind: places[kind])] if places else []


def by_patterns(text: str, company: str) -> list[str]:
    """The type with most votes of patterns that are neither denied nor past; the rules without weights."""
    votes: dict[str, float] = {}
    reading = read(text, date=TODAY)
    for hit, context in zip(reading.hits, reading.contexts, strict=True):
        if not context.negated and not context.background and hit.pattern.strength > 1:
            kind = str(hit.pattern.type)
            votes[kind] = votes.get(kind, 0) + (3 if hit.pattern.strength == 3 else 1)
    return [max(votes, key=lambda kind: votes[kind])] if votes else []


def by_detection(text: str, company: str) -> list[str]:
    """The product's own answer, all its signals."""
    return [str(found.type) for found in detect(text, date=TODAY, company=[company])]


def micro_f1(
    method: Callable[[str, str], list[str]], file: Path = SENTENCES, *, families: bool = False
) -> float:
    right = said = there = 0
    for kinds, company, text in rows(file):
        parts = {part for kind in kinds for part in kind.split("+")}
        accepted = {family(kind) for kind in parts} if families else parts
        answers = method(text, company)
        fitting = sum((family(kind) if families else kind) in accepted for kind in answers)
        said += len(answers)
        right += fitting
        wanted = 0 if "none" in kinds else 1 + max(kind.count("+") for kind in kinds)
        there += max(fitting, wanted)
    return 2 * right / (said + there)


def family(kind: str) -> str:
    return kind if kind == "none" else str(family_of(SignalType(kind)))


def test_the_set_is_large_and_covers_every_type_of_news() -> None:
    everything = rows()
    assert len(everything) >= 300
    assert {kind for kinds, *_ in everything for kind in kinds} >= {*KEYWORDS, "none"}


def test_types_are_found_in_unseen_sentences() -> None:
    assert micro_f1(by_detection) >= 0.93


def test_families_are_found_in_unseen_sentences() -> None:
    assert micro_f1(by_detection, families=True) >= 0.94


def test_oblique_market_news_is_understood() -> None:
    assert len(rows(NEWS)) >= 290
    assert micro_f1(by_detection, NEWS) >= NEWS_FLOOR
    assert micro_f1(by_detection, NEWS, families=True) >= NEWS_FAMILY_FLOOR


def test_more_market_news_is_understood() -> None:
    assert micro_f1(by_detection, MORE_NEWS) >= MORE_NEWS_FLOOR
    assert micro_f1(by_detection, MORE_NEWS, families=True) >= MORE_NEWS_FAMILY_FLOOR
    silent = [row for row in rows(MORE_NEWS) if row[0] == {"none"}]
    loud = [text for _, company, text in silent if by_detection(text, company)]
    assert len(loud) <= LOUD * len(silent), loud


@pytest.mark.parametrize(("name", "floors"), ARTICLES.items())
def test_sentences_of_articles_are_understood(name: str, floors: tuple[float, float]) -> None:
    file = DATA / name
    assert micro_f1(by_detection, file) >= floors[0]
    assert micro_f1(by_detection, file, families=True) >= floors[1]
    silent = [row for row in rows(file) if row[0] == {"none"}]
    assert len(silent) >= 0.37 * len(rows(file))
    loud = [text for _, company, text in silent if by_detection(text, company)]
    assert len(loud) <= 0.12 * len(silent), loud


@pytest.mark.parametrize(("name", "floors"), ORDINARY.items())
def test_ordinary_sentences_of_every_type_are_understood(
    name: str, floors: tuple[float, float, float]
) -> None:
    file = DATA / name
    types = {kind for kinds, *_ in rows(file) for each in kinds for kind in each.split("+")}
    assert len(types & {str(kind) for kind in SignalType}) >= 42
    assert micro_f1(by_detection, file) >= floors[0]
    assert micro_f1(by_detection, file, families=True) >= floors[1]
    silent = [row for row in rows(file) if row[0] == {"none"}]
    loud = [text for _, company, text in silent if by_detection(text, company)]
    assert len(loud) <= floors[2] * len(silent), loud


@pytest.mark.parametrize(("name", "floors"), EVIDENCE.items())
def test_evidence_stands_where_it_was_marked(name: str, floors: tuple[float, float, float]) -> None:
    touched, within, ahead = [], [], []
    for kinds, text, marked, planned in marked_rows(DATA / name):
        fitting = [each for each in detect(text, date=TODAY) if str(each.type) in kinds]
        if fitting:
            words = [match.start() for match in re.finditer(r"\w+", text)]
            said = {place for place in words if fitting[0].start <= place < fitting[0].end}
            shared = {place for place in said if marked[0] <= place < marked[1]}
            touched.append(bool(shared))
            within.append(len(shared) / max(1, len(said)))
            ahead.append(fitting[0].planned == planned)
    assert len(touched) >= 27
    found = tuple(sum(each) / len(each) for each in (touched, within, ahead))
    assert all(value >= floor for value, floor in zip(found, floors, strict=True)), found


def test_weights_and_patterns_beat_patterns_and_these_beat_keywords() -> None:
    keywords, patterns, both = micro_f1(by_keywords), micro_f1(by_patterns), micro_f1(by_detection)
    assert keywords + 0.3 < patterns < both


def test_it_is_quiet_where_nothing_happened() -> None:
    silent = [(company, text) for kinds, company, text in rows() if kinds == {"none"}]
    loud = [text for company, text in silent if by_detection(text, company)]
    assert len(loud) <= 0.12 * len(silent), loud


def test_evidence_is_verbatim() -> None:
    for _, company, text in rows():
        for found in detect(text, date=TODAY, company=[company]):
            assert text[found.start : found.end] == found.quote
            assert found.quote.strip()
            assert all(text[party.start : party.end] == party.name for party in found.parties)
