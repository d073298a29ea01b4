"""Words of job boards for the kind of employment and for where one works, in the languages they use."""

import re
from collections.abc import Iterable

from sightline.domain.names import fold
from sightline.domain.postings import EmploymentType, RemotePolicy

# In this order: "Part-time internship" is an internship, "Temporary full-time" is temporary.
_EMPLOYMENT: tuple[tuple[EmploymentType, re.Pattern[str]], ...] = (
    (
        "internship",
        re.compile(
            r"\b(?:intern|interns|internship|praktik\w*|pflichtpraktik\w*|stage|stagiaire|stagiair|tirocinio"
            r"|becari[oa]|practicas|estagio|estagiari[oa]|praktyk\w*|staz|trainee|traineeship|apprentice"
            r"|apprenticeship|ausbildung|alternance|apprentissage|werkstudent\w*|working student|co op|coop"
            r"|student)\b"
        ),
    ),
    (
        "temporary",
        re.compile(
            r"\b(?:temp|temporary|fixed term|fixedterm|seasonal|befristet\w*|cdd|temporaire|temporal|interim"
            r"|determinato|tijdelijk\w*|limited term|per diem|perdiem|visstid\w*|tidsbegransad\w*"
            r"|temporario|term limited)\b"
        ),
    ),
    (
        "contract",
        re.compile(
            r"\b(?:contract|contractor|contractors|contracting|freelance\w*|freiberuf\w*|independent|1099|b2b"
            r"|consultant contract|independant|autonomo|c2c|corp to corp|contingent)\b"
        ),
    ),
    (
        "part_time",
        re.compile(
            r"\b(?:part|part time|parttime|teilzeit|temps partiel|tiempo parcial|media jornada|meio periodo"
            r"|tempo parziale|deeltijd|deltid|niepelny etat|osa aikainen|mini ?job|hourly part time)\b"
        ),
    ),
    (
        "full_time",
        re.compile(
            r"\b(?:full|full time|fulltime|vollzeit|temps plein|temps complet|tiempo completo"
            r"|jornada completa|tempo integral|tempo pieno|voltijd|fulltijd|heltid|pelny etat"
            r"|kokoaikainen|unbefristet vollzeit|cdi)\b"
        ),
    ),
    ("other", re.compile(r"\b(?:volunteer|voluntary|other|ehrenamt\w*|benevol\w*)\b")),
)
_BOTH_TIMES = re.compile(
    r"\bfull (?:time )?(?:or|and) part(?: time)?\b|\bvoll und teilzeit\b|\bvoll oder teilzeit\b"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_INTERN_TITLE = re.compile(
    r"\bintern(?:ship)?s?\b|\bpraktik(?:um|ant)|\bwerkstudent|\bstagiaire\b|\bworking student\b|\bco-op\b"
    r"|\bapprentice\b",
    re.IGNORECASE,
)
_PART_TITLE = re.compile(r"\bpart[\s-]?time\b|\bteilzeit\b|\btemps partiel\b", re.IGNORECASE)
_CONTRACT_TITLE = re.compile(
    r"\((?:[\w\s-]{0,20})?contract(?:or)?\)|\b1099\b|\bfreelance\b|[-–—,]\s*contract(?:or)?$|\bFTC\b",
    re.IGNORECASE,
)
_TEMPORARY_TITLE = re.compile(
    r"\bfixed[\s-]term\b|\btemporary\b|\bseasonal\b|\bbefristet\b", re.IGNORECASE
)

_REMOTE_WORDS: tuple[tuple[RemotePolicy, re.Pattern[str]], ...] = (
    ("hybrid", re.compile(r"\bh[iy]brid[aeo]?\b|\bpartially remote\b|\btemporarily remote\b")),
    (
        "on_site",
        re.compile(
            r"\b(?:on ?site|onsite|in office|in person|inperson|not remote|no remote|vor ort"
            r"|sur site|presencial)\b"
        ),
    ),
    (
        "remote",
        re.compile(r"\b(?:remote|telecommute|home ?office|anywhere|virtual|work from home)\b"),
    ),
)
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
# Sentences that say it of the job itself, not of the company or of another group of people.
_SAYS: tuple[tuple[RemotePolicy, re.Pattern[str]], ...] = (
    (
        "hybrid",
        re.compile(
            r"\b(?:this|the) (?:is a |role is |position is |job is )(?:a )?(?:\w+ )?hybrid\b"
            r"|\bhybrid (?:role|position|work schedule|schedule|work model|working model)\b"
            r"|\b(?:work(?:ing)? location|workplace|work (?:type|mode|arrangement)"
            r"|location type)\s*:\s*hybrid\b",
            re.IGNORECASE,
        ),
    ),
    (
        "remote",
        re.compile(
            r"\b(?:this|the) (?:is a |role is |position is |job is )(?:a )?(?:100%|fully"
            r"|completely)?\s*remote\b"
            r"|\b(?:fully|100%|completely)[ -]remote (?:role|position|job|opportunity)\b"
            r"|\b(?:work(?:ing)? location|workplace|work (?:type|mode|arrangement)|location type)\s*:\s*"
            r"(?:fully |100% )?remote\b",
            re.IGNORECASE,
        ),
    ),
    (
        "on_site",
        re.compile(
            r"\b(?:this|the) (?:is an? |role is |position is "
            r"|job is )(?:an? )?(?:fully )?(?:on-?site|in-office"
            r"|in-person)\b|\b(?:work(?:ing)? location|workplace|work (?:type|mode|arrangement)"
            r"|location type)"
            r"\s*:\s*(?:on-?site|in[ -]person|in[ -]office)\b",
            re.IGNORECASE,
        ),
    ),
)


def employment_type(*words: str | None) -> EmploymentType | None:
    """What a board's own words for the kind of employment mean, first word first.

    "Permanent", "Regular" and seniorities say neither full nor part time: None.
    """
    for word in words:
        folded = fold(_CAMEL.sub(" ", (word or "").replace("_", " ")))
        if not folded:
            continue
        if _BOTH_TIMES.search(folded):
            return "full_time"
        for kind, pattern in _EMPLOYMENT:
            if pattern.search(folded):
                return kind
    return None


def employment_from_title(title: str) -> EmploymentType | None:
    """The kind of employment that a title names: "Marketing Intern", "Engineer (Contract)"."""
    if _INTERN_TITLE.search(title):
        return "internship"
    if _TEMPORARY_TITLE.search(title):
        return "temporary"
    if _CONTRACT_TITLE.search(title):
        return "contract"
    return "part_time" if _PART_TITLE.search(title) else None


def remote_policy(*words: str | None) -> RemotePolicy | None:
    """What a board's own words for the workplace mean, first word first."""
    for word in words:
        folded = fold(_CAMEL.sub(" ", (word or "").replace("_", " ")))
        for policy, pattern in _REMOTE_WORDS:
            if folded and pattern.search(folded):
                return policy
    return None


def remote_from_text(title: str, description: str = "") -> RemotePolicy | None:
    """What title and description say of the job itself; None when they say several things."""
    if _TITLE_HYBRID.search(title):
        return "hybrid"
    if _TITLE_REMOTE.search(title):
        return "remote"
    tags = {tag.lower().replace("-", "") for tag in _TAGS.findall(description)}
    if len(tags) == 1:
        return _TAG_POLICIES[tags.pop()]
    said = _distinct(policy for policy, pattern in _SAYS if pattern.search(description))
    return said[0] if len(said) == 1 else None


def _distinct(policies: Iterable[RemotePolicy]) -> list[RemotePolicy]:
    return list(dict.fromkeys(policies))
