"""Terms of job boards for employment type and workplace, in several languages."""

import re
from collections.abc import Sequence
from typing import Final

from sightline.domain.names import fold
from sightline.domain.postings import EmploymentType, RemotePolicy
from sightline.reading.sentences import sentence_at
from sightline.sources.vocabulary import names_one_of

# In this order: "Part-time internship" is an internship, "Temporary full-time" is temporary.
_EMPLOYMENT: Final[tuple[EmploymentType, ...]] = (
    "internship", "temporary", "contract", "part_time", "full_time", "other",
)  # fmt: skip
_IN_TITLES: Final[tuple[EmploymentType, ...]] = ("internship", "temporary", "part_time")
_REMOTE: Final[tuple[RemotePolicy, ...]] = ("hybrid", "on_site", "remote")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CONTRACT_TITLE = re.compile(
    r"\((?:[\w\s-]{0,20})?contract(?:or)?\)|\b1099\b|\bfreelance\b|[-–—,]\s*contract(?:or)?$|\bFTC\b",
    re.IGNORECASE,
)
# Of a title: what follows a sign is looked for from each sign on.
_LONGEST_TITLE = 500
_TITLE_HYBRID = re.compile(r"[\(\[/,|–—-][^()\[\]]*\bhybrid\b", re.IGNORECASE)
_TITLE_REMOTE = re.compile(
    r"[\(\[/,|–—-][^()\[\]]*\b(?:remote(?!\s+(?:sensing|control|monitoring|support|desktop|access|hands))"
    r"|home[\s-]?office|work from home|wfh)\b|^remote\b(?!\s+(?:sensing|control|monitoring|support))"
    r"|\bremote$",
    re.IGNORECASE,
)
_TAGS = re.compile(r"#LI[-_ ]?(Remote|Hybrid|On-?site)\b", re.IGNORECASE)
_TAG_POLICIES: dict[str, RemotePolicy] = {
    "remote": "remote",
    "hybrid": "hybrid",
    "onsite": "on_site",
}
_LABEL = (
    r"\b(?:work(?:ing)? location|workplace|work (?:type|mode|arrangement)|location type"
    r"|arbeitsort|arbeitsmodell|lieu de travail|modalidad(?: de trabajo)?)\s*:\s*"
)
_JOB_IS = r"\b(?:this|the) (?:is an? |(?:role|position|job) (?:is|will be) )(?:an? )?"
# Sentences that say it of the job itself, not of the company or of another group of people.
_SAYS: tuple[tuple[RemotePolicy, re.Pattern[str]], ...] = (
    (
        "hybrid",
        re.compile(
            rf"{_JOB_IS}(?:\w+ )?hybrid\b|\bhybrid (?:role|position)\b|{_LABEL}h[yí]brida?\b",
            re.IGNORECASE,
        ),
    ),
    (
        "remote",
        re.compile(
            rf"{_JOB_IS}(?:100%|fully|completely)?\s*remote\b"
            r"|\b(?:fully|100%|completely)[ -]remote (?:role|position|job|opportunity"
            r"|(?:work[\w-]* )?arrangement)\b"
            r"|\b100 ?% (?:remoto|en remoto|(?:en )?télétravail|teletrabajo|homeoffice)\b"
            rf"|{_LABEL}(?:fully |100 ?% )?remot[eoa]\b",
            re.IGNORECASE,
        ),
    ),
    (
        "on_site",
        re.compile(
            rf"{_JOB_IS}(?:fully )?(?:on-?site|in-office|in-person)\b"
            rf"|{_LABEL}(?:on-?site|in[ -]person|in[ -]office|vor ort|sur site|presencial)\b",
            re.IGNORECASE,
        ),
    ),
)
# How the employer's people work, which counts where nothing is said of the job.
_HABIT: tuple[tuple[RemotePolicy, re.Pattern[str]], ...] = (
    (
        "hybrid",
        re.compile(
            r"\bhybrid (?:work(?:ing|place)? )?(?:schedule|model|policy|setup|set-up|arrangement|approach)\b"
            r"|\bhybrid (?:way of )?working\b|\bhybrides? (?:arbeiten|arbeitsmodell)\b"
            r"|\b(?:travail|mode) hybride\b|\b(?:modelo|trabajo|modalidad) híbrid[oa]\b"
            r"|\b(?:in|from|at) (?:the|our) [\w ]{0,20}office[\w ,]{0,20} (?:\d|one|two|three|four)"
            r"(?:[-–]\d)? days (?:a|per|each) week\b"
            r"|\b(?:\d|one|two|three|four) days (?:a|per|each) week (?:in|from|at) (?:the|our)"
            r" [\w ]{0,20}office\b",
            re.IGNORECASE,
        ),
    ),
)
_CONDITION = re.compile(r"\b(?:if|unless|whether|depending|wenn|falls|sofern)\b", re.IGNORECASE)


def employment_type(*words: str | None) -> EmploymentType | None:
    """What a board's own words for the kind of employment mean, first word first.

    "Permanent", "Regular" and seniorities say neither full nor part time: None.
    """
    for word in words:
        folded = _folded(word)
        if names_one_of(folded, "employment_both_times"):
            return "full_time"
        for kind in _EMPLOYMENT:
            if names_one_of(folded, f"employment_{kind}"):
                return kind
    return None


def employment_from_title(title: str) -> EmploymentType | None:
    """The kind of employment that a title names: "Marketing Intern", "Engineer (Contract)"."""
    folded = fold(title)
    named = (kind for kind in _IN_TITLES if names_one_of(folded, f"title_{kind}"))
    kind = next(named, None)
    return "contract" if kind in {None, "part_time"} and _CONTRACT_TITLE.search(title) else kind


def remote_policy(*words: str | None) -> RemotePolicy | None:
    """What a board's own words for the workplace mean, first word first."""
    for word in words:
        folded = _folded(word)
        for policy in _REMOTE:
            if names_one_of(folded, f"workplace_{policy}"):
                return policy
    return None


def _folded(word: str | None) -> str:
    return fold(_CAMEL.sub(" ", (word or "").replace("_", " ")))


def remote_from_text(title: str, description: str = "") -> RemotePolicy | None:
    """What title and description say of the job itself; None when they say several things."""
    head = title[:_LONGEST_TITLE]
    if _TITLE_HYBRID.search(head):
        return "hybrid"
    if _TITLE_REMOTE.search(head):
        return "remote"
    tags = {tag.lower().replace("-", "") for tag in _TAGS.findall(description)}
    if len(tags) == 1:
        return _TAG_POLICIES[tags.pop()]
    said = _said(_SAYS, description) or _said(_HABIT, description)
    return said[0] if len(said) == 1 else None


def _said(
    patterns: Sequence[tuple[RemotePolicy, re.Pattern[str]]], text: str
) -> list[RemotePolicy]:
    """The policies that a text states without a condition."""
    return [
        policy
        for policy, pattern in patterns
        if any(not _is_conditional(text, found.start()) for found in pattern.finditer(text))
    ]


def _is_conditional(text: str, at: int) -> bool:
    """Whether the sentence up to a character sets a condition: "if the position is remote"."""
    start, _ = sentence_at(text, at, at, reach=200)
    return _CONDITION.search(text, start, at) is not None
