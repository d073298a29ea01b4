"""Overview: the facts that matter, and a summary of two to four quoted sentences."""

import re
from collections import Counter
from typing import Any, Final

from sightline.profile.contract import Section, Statement
from sightline.profile.evidence import Evidence, Quote
from sightline.profile.judging import is_aside
from sightline.profile.money import money, newest_year
from sightline.profile.patterns import words
from sightline.profile.sections.overview_facts import fact_sentences
from sightline.profile.select import Candidate, candidate, choose, specificity
from sightline.profile.sentences import Sentence

_FEWEST_SENTENCES: Final = 2  # that facts complete
_MOST_SENTENCES: Final = 4
_MOST_OF_RELEASE: Final = 3
_MOST_PROOFS: Final = 3
_HEAD: Final = 120  # characters in which a sentence says what the company is
_FIELDS: Final = (
    "company_name", "legal_name", "website_domain", "description", "industry", "sector", "founded_year",
    "hq_city", "hq_state", "hq_country_name", "country_code", "full_time_employees",
    "employee_count_range", "revenue_range", "public_company", "stock_ticker", "stock_exchange_name",
    "ceo", "profile_network_url", "phone",
)  # fmt: skip
_DEFINES: Final = re.compile(
    r"\b(?:is|are) (?:a|an|the|one of|engaged|in the business|dedicated|focused|headquartered|pioneer\w*)\b"
    r"|\b(?:designs?|develops?|manufactures?|sells?|operates?|provides?|offers?|pioneered"
    r"|helps?|enables?|builds?|delivers?"
    r"|makes?|creates?|serves?|empowers?|engages?)\b"
    r"|\b(?:ist|sind) (?:ein\w*|der|die|das)\b|\b(?:entwickel(?:t|n)|biete[tn]|fertig(?:t|en)"
    r"|produzier(?:t|en)|vertreib(?:t|en)|unterstütz(?:t|en)|beliefer(?:t|n)|bera(?:ten|ät))\b"
    r"|\b(?:est|sommes) (?:une?|le|la|l[’'])|\b(?:propos(?:e|ons)|développ(?:e|ons)|conç(?:oit|evons)"
    r"|fabriqu(?:e|ons)|accompagn(?:e|ons)|offr(?:e|ons))\b"
    r"|\b(?:es|somos) (?:una?|el|la|líder\w*)\b|\b(?:ofrec(?:e|emos)|desarroll(?:a|amos)"
    r"|diseñ(?:a|amos)|fabric(?:a|amos)|ayud(?:a|amos))\b",
    re.I,
)
_IS_A: Final = re.compile(r"(?:\b(?:is|are)|[’']re) (?:an?|the|one of)\b", re.I)
_PARTS: Final = {"business": 1.3, "about": 1.5, "home": 1.2, "products": 0.8, "review": 0.5}
_CHANGES: Final = re.compile(
    r"\b(?:increas|decreas|compared|impairment|acquir|divest|sold|discontinued|prior period|recast)",
    re.I,
)
_TO_YOU = re.compile(r"\b(?:you|your|candidates?|hiring|role|position|team)\b", re.I)
# "Based in Oslo, Norway, Larkspur is …"
_BASED: Final = r"(?:based|headquartered|located) in (?:[^,]{2,40}, ){1,3}"
_ABOUT = re.compile(
    r"^about\b|\b(?:overview|our (?:company|business(?:es)?)|the company|description of)\b", re.I
)
_NATURE = re.compile(
    r"\b(?:the company|nature of|description of|organi[sz]ation|background|business)\b|basis of presentation",
    re.I,
)
_HISTORY = re.compile(
    r"\b(?:incorporated|founded|established|since \d{4}|headquartered|subsidiar)", re.I
)
_NOT = words(
    r"\b(?:could|may|risk|fiscal year (?:is|ends)|reportable|segments?|investor relations"
    r"|patents?|organized based"
    r"|third-party reports|commitment|degree|talent|was incorporated|encourage|compet\w+|rivals?"
    r"|improving our|cost reduction|we (?:also|work with|are also)|also are|employees|dividends?"
    r"|in addition to|for example|increas\w+|decreas\w+|(?:this|last|next) (?:year|quarter)"
    r"|cannot|assurances?|aware of|dependent|depends?|shareholders?|stockholders?|suppliers?|seasonality"
    r"|monitors?|report under|early stages|partner with|alongside|differentiate|expects?|believes?"
    r"|introduced|announced|productivity|intellectual property|repurchases?"
    r"|financial statements|discontinued|defendant|plaintiff|actions|agent|placement|jurisdiction"
    r"|had|has (?:acquired|filed|issued)|retained|scheduled|fulfilled|raised|terminated|commenced|began"
    r"|filed|issued"
    r"|smaller reporting|anticipates?|evaluating|wholly[- ]owned|offered for sale"
    r"|trademarks?|designations|prospectus|securities|laws and regulations|compliance programs?"
    r"|(?:intend|aim|strive|seek)s? to|hearts?)\b",
)


def _subjects(evidence: Evidence) -> re.Pattern[str]:
    """How sentences about the company begin: its name, "We", "The company", "Our mission"."""
    words = re.split(r"[\s,.]+", evidence.name)
    first = re.escape(words[0]) if words and words[0] else "We"
    ours = r"our (?:company|mission|vision|purpose|business|platform|products?)\b"
    theirs = (
        rf"(?:wir|unser\w*|nous|notre|somos|nuestr[ao]s?|en {first}|bei {first}|chez {first})\b"
    )
    return re.compile(
        rf"^(?:(?:{_BASED})?(?:the )?{first}\b|we\b|the (?:company|corporation|partnership|trust|fund)\b"
        rf"|{ours}|founded|at {first}\b|{theirs})",
        re.I,
    )


def summary(evidence: Evidence) -> list[Candidate]:
    """The sentences that say best what the company is, in the order of their text."""
    subject = _subjects(evidence)
    pool: list[tuple[Sentence, Candidate]] = []
    for document in evidence.reading:
        if document.kind == "posting":
            continue
        rank = 0
        for sentence in document.sentences:
            weight = _PARTS.get(sentence.part)
            if weight is None or sentence.dangles:
                continue
            rank += 1
            if is_aside(sentence):
                continue
            if sentence.part == "review" and not _may_introduce(sentence):
                continue
            if rank > 60 or not subject.match(sentence.text) or _NOT.search(sentence.text):
                continue
            score = (
                weight
                * specificity(sentence.text)
                * (2.2 if rank <= 3 else 1.6 if rank <= 10 else 1.0)
            )
            if _DEFINES.search(sentence.text[:_HEAD]):
                score *= 1.6
            if _HISTORY.search(sentence.text):
                score *= 0.8
            pool.append((sentence, candidate(sentence, score=score)))
    defining = [row for row in pool if _DEFINES.search(row[0].text[:_HEAD])]
    pool = defining if len(defining) > 1 else pool
    pool = (
        pool
        or _opening(evidence)
        or _from_releases(evidence)
        or _from_notes(evidence)
        or _from_segments(evidence)
        or _from_postings(evidence)
    )
    chosen = choose((c for _, c in pool), most=_MOST_SENTENCES, per_group=3, named=False)
    place = {id(c): (s.part != "business", s.start) for s, c in pool}
    return sorted(chosen, key=lambda c: place[id(c)])


def _opening(evidence: Evidence) -> list[tuple[Sentence, Candidate]]:
    """What the site's own pages begin with, where no sentence says what the company is."""
    found = []
    for document in evidence.reading:
        first = [s for s in document.sentences if s.part in ("about", "home") and not s.dangles]
        found += [(s, candidate(s, score=_PARTS[s.part])) for s in first[:2]]
    return found


def _may_introduce(sentence: Sentence) -> bool:
    """Whether a sentence of a review of results can say what the company is."""
    head = sentence.text[:_HEAD]
    return bool(
        _IS_A.search(head) or (_ABOUT.search(sentence.heading or "") and _DEFINES.search(head))
    )


def _from_releases(evidence: Evidence) -> list[tuple[Sentence, Candidate]]:
    """What the newest release that ends with a word about the company says there."""
    first = re.escape(re.split(r"[\s,.]+", evidence.name)[0])
    is_a = re.compile(
        rf"^(?:{_BASED})?(?:the )?{first}\b.{{0,90}}?\b(?:is|are) (?:an?|the|one of|among)\b", re.I
    )
    about = re.compile(rf"^about (?:the )?(?:{first}\b|the company|us\b)", re.I)
    for document in evidence.reading:
        said = [s for s in document.sentences if s.part == "release" and not _NOT.search(s.text)]
        under = [s for s in said if about.match(s.heading or "")]
        found = under[:_MOST_OF_RELEASE] or [s for s in said if is_a.match(s.text)][:1]
        if found:
            return [(s, candidate(s, score=specificity(s.text))) for s in found]
    return []


def _from_notes(evidence: Evidence) -> list[tuple[Sentence, Candidate]]:
    """What the notes of a quarterly report say that the company is."""
    first = re.escape(re.split(r"[\s,.]+", evidence.name)[0])
    is_a = re.compile(
        rf"^(?:{first}\b|we\b|the company\b).{{0,60}}?\b(?:is|are) (?:an?|the|one of|engaged|primarily)\b",
        re.I,
    )
    return [
        (sentence, candidate(sentence, score=specificity(sentence.text)))
        for document in evidence.reading
        for sentence in document.sentences
        if sentence.part == "notes"
        and _NATURE.search(sentence.heading or "")
        and is_a.match(sentence.text)
        and not _NOT.search(sentence.text)
    ]


def _from_segments(evidence: Evidence) -> list[tuple[Sentence, Candidate]]:
    """What a report says of its segments, where nothing in it says what the company is."""
    first = re.escape(re.split(r"[\s,.]+", evidence.name)[0])
    is_made_of = re.compile(
        rf"^(?:In [^,]{{3,30}}, )?(?:the )?(?:{first}\b|we\b|our\b|the company\b).{{0,80}}?"
        r"\b(?:operates?|reports?|has|have|(?:re)?organi[sz]ed"
        r"|reported|comprised?|manages?|conducts?|consists?)\b.{0,60}?\b(?:segments?|business(?:es)?)\b",
        re.I,
    )
    found = [
        (sentence, candidate(sentence, score=specificity(sentence.text)))
        for sentence in evidence.sentences("notes", "review", "release")
        if is_made_of.match(sentence.text)
        and not sentence.dangles
        and not is_aside(sentence)
        and not _CHANGES.search(sentence.text)
    ]
    return found[:_MOST_OF_RELEASE]


def _from_postings(evidence: Evidence) -> list[tuple[Sentence, Candidate]]:
    """What postings say of the employer, where nothing else does: most begin with it."""
    words = re.split(r"[\s,.]+", evidence.name)
    named = re.compile(rf"^(?:at )?{re.escape(words[0])}\b|^we(?:[’']re| are) (?:an?|the)\b", re.I)
    return [
        (
            sentence,
            candidate(
                sentence,
                score=specificity(sentence.text)
                * (2 if _IS_A.search(sentence.text[:_HEAD]) else 1),
            ),
        )
        for document in evidence.reading
        if document.kind == "posting"
        for sentence in document.sentences
        if named.match(sentence.text)
        and _DEFINES.search(sentence.text[:_HEAD])
        and not (sentence.dangles or _NOT.search(sentence.text) or _TO_YOU.search(sentence.text))
    ]


def _hiring(evidence: Evidence) -> tuple[dict[str, Any], tuple[Quote, ...]]:
    """How many postings are open, and in which departments most of them are."""
    jobs = [job for job in evidence.jobs if job.closed_at is None]
    if not jobs:
        return {}, ()
    counts = Counter(job.department for job in jobs if job.department)
    proofs = [proof for job in jobs[:_MOST_PROOFS] if (proof := job.proof) is not None]
    departments = [name for name, _ in counts.most_common(_MOST_PROOFS)]
    return {"open_postings": len(jobs), "hiring_departments": departments}, tuple(proofs)


def _own_description(evidence: Evidence) -> list[str]:
    """What the company's own site gives search engines to say, where its pages say less."""
    text = str(evidence.record.get("description") or "")
    return [text] if text else []


def build(evidence: Evidence) -> Statement:
    facts: dict[str, Any] = {
        name: evidence.record[name] for name in _FIELDS if evidence.record.get(name) is not None
    }
    proofs: list[Quote] = []
    for metric in ("revenue", "net_income"):
        figure = newest_year(evidence, metric)
        if figure is not None:
            value = figure.value
            facts[metric] = {
                "amount": value["amount"],
                "currency": value["currency"],
                "label": value["label"],
                "period_end": value["period_end"],
                "change": value.get("change"),
                "text": money(value["amount"], value["currency"]),
            }
            proofs.append(figure.proof)
    hiring, hired = _hiring(evidence)
    facts |= hiring
    proofs += hired
    chosen = summary(evidence)
    for name in _FIELDS:
        won = next((f for f in evidence.by_field.get(name, ()) if f.wins), None)
        if won is not None:
            proofs.append(won.proof)
    products = [str(f.value["name"]) for f in evidence.members("product") if f.value.get("name")][
        :10
    ]
    if not chosen and not facts.get("description") and not proofs:
        return {}
    quotes = tuple(quote for c in chosen for quote in c.quotes)
    said = [c.description for c in chosen]
    if not any(_DEFINES.search(text[:_HEAD]) for text in said[:1]):
        said = [*_own_description(evidence), *said]
    if len(said) < _FEWEST_SENTENCES:
        known = fact_sentences(evidence, facts, told=" ".join(said))
        first = re.split(r"[\s,.]+", evidence.name)[0]
        defined = any(t.startswith(first) or _DEFINES.search(t[:_HEAD]) for t in said)
        said = [*said, *known] if defined else [*known[:2], *said, *known[2:]]
    return {
        "summary": " ".join(said[:_MOST_SENTENCES]) or None,
        "facts": facts,
        "products": products,
        "sources": (*quotes, *proofs),
    }


SECTION = Section("overview", ("filing", "data", "page", "posting"), build)
