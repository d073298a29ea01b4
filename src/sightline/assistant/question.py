"""A question read: what kind of thing is asked for, of which period, and about what else.

Every content word of a question must be accounted for: by a kind's cue, by the company's name, by the
period, or by the evidence itself. What is left over is `terms`; evidence that does not speak of them
does not answer the question.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sightline.assistant.periods import Period, read_period
from sightline.assistant.wording import in_english, mended, written_out
from sightline.assistant.words import asked_terms, covers, terms_of

# What is not answered from evidence, whatever is held.
_OPINION = re.compile(
    r"\bshould\s+(?:i|we|one|you)\b|\bdo\s+you\s+(?:think|believe|recommend|like)\b"
    r"|\byour\s+(?:opinion|view)\b"
    r"|\bgood\s+(?:investment|stock|buy|place)\b|\bworth\s+(?:buying|investing)\b|\b(?:over"
    r"|under)valued\b"
    r"|\bbuy\s+or\s+sell\b|\brate\s+(?:the|this)\s+stock\b|\brecommend\s+(?:the|this)\b",
    re.I,
)
_FUTURE = re.compile(
    r"\b(?:stock|share)s?\s*(?:price|value)s?\b.*\b(?:will|next|tomorrow|20[3-9]\d|future"
    r"|predict|target)\b"
    r"|\b(?:will|going\s+to)\b.*\b(?:stock|share)\s*(?:price|s?\b)|\bprice\s+target\b"
    r"|\bpredict(?:ion)?\b"
    r"|\b(?:will|going\s+to)\b.*\b(?:tomorrow|next\s+(?:year|month|week|decade)|in\s+(?:five"
    r"|ten|\d+)\s+years|"
    r"(?:in|by)\s+20[3-9]\d)\b|\b(?:go|going)\s+bankrupt\b",
    re.I,
)
# Of the day: nothing that is stored can be today's.
_LIVE = re.compile(
    r"\b(?:stock|share)\s+price\b.*\b(?:today|now|current\w*|at\s+the\s+moment)\b"
    r"|\b(?:current|today['’]?s|latest)\s+(?:stock|share)\s+price\b"
    r"|^\W*(?:[\w'&.]+\s){0,2}(?:stock|share)\s+price\W*$",
    re.I,
)
_PERSONAL = re.compile(
    r"\b(?:home|private|personal|residential)\s+(?:address|phone|number|e-?mail|life|mobile"
    r"|telephone)\b"
    r"|\b(?:cell|mobile)\s*(?:phone)?\s*(?:number)?\s+of\b|\b(?:wife|husband|spouse|married"
    r"|marital|divorced|girlfriend|boyfriend|daughters?|political\s+(?:views?|party)"
    r"|(?:his|her|has|have|how\s+many)\s+(?:any\s+)?(?:children|kids|sons)|(?:ceo|cfo|chairman)"
    r"'?s\s+(?:children|kids|sons?|religion|health)"
    r"|voted?\s+for|sexual\s+\w+|ethnicity|birthday|date\s+of\s+birth|social\s+security"
    r"|passport|net\s+worth|medical\s+(?:history|records?|condition)|(?:his|her)\s+(?:illness"
    r"|religion|church)|password|bank\s+account|where\s+does\s+(?:he|she|\w+(?:\s\w+)?)\s+live)\b",
    re.I,
)
_CONTINUES = re.compile(
    r"^\W*(?:and|what about|how about|what of|also|then|or|same|but|only)\b", re.I
)
_REFERS = re.compile(r"\b(?:that|those|it|he|she|they|them|this|his|her|their)\b", re.I)
_LAST_YEAR = re.compile(r"\b(?:in\s+)?(?:the\s+)?last\s+(?:fiscal\s+)?year\b", re.I)
_LONGEST_FOLLOWING: Final = 80
# The sort of thing that is asked for: the answer is one, and need not say so.
_HEADS = re.compile(
    r"(?<=\bwhich )(?:countr(?:y|ies)|cit(?:y|ies)|states?|compan(?:y|ies)|firms?|people|years?|months?"
    r"|dates?)\b|(?<=\bwhat )(?:countr(?:y|ies)|cit(?:y|ies)|states?|years?|months?|dates?)\b",
    re.I,
)
_PROPER = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w&’'.-]*[\w&]")

_ROLE = (
    r"ceos?|cfos?|coos?|ctos?|cios?|cisos?|cmos?|cpos?|cros?|chief(?:\s+\w+){1,3}?\s+officers?"
    r"|chief\s+\w+"
    r"|general\s+counsel|presidents?|chair(?:man|woman|person)?|founders?|co-?founders?"
    r"|treasurer|controller"
    r"|secretary|boss|(?:vice\s+)?head\s+of"
)
# kind → its cues; the order is the order in which readers are tried.
KINDS: Final[dict[str, re.Pattern[str]]] = {
    name: re.compile(pattern, re.I)
    for name, pattern in {
        "role": rf"\b(?:{_ROLE})\b|\b(?:who\s+(?:leads|runs|heads|is\s+in\s+charge)|(?:led|run"
        rf"|headed)\s+by)\b(?:\s+of)?|\bwho\s+(?:founded|started)\b"
        r"|\bexecutives?\b|\bleadership(?:\s+team)?\b(?!\s+(?:change|move))"
        r"|\bmanagement\s+team\b|\bofficers\b"
        r"|\b(?:board\s+of\s+)?directors\b|\b(?:on\s+(?:the|its)\s+)?board\b(?!\s*s)"
        r"|\bboard\s+members?\b",
        "person": r"\bwho\s+(?:is|was)\s+(?=[A-Z])|\bwhat\s+(?:is|was)\s+the\s+(?:role|title"
        r"|job|position)\s+of\b",
        "postings": r"\b(?:open|current|available)?\s*(?:jobs?|positions?|roles?|vacanc(?:y"
        r"|ies)|openings?|postings?)\b"
        r"(?:\s+(?:open|posted|advertised|available))?|\b(?:hiring|recruiting|hires?\s+for)\b"
        r"|\bhire\b|\b(?:are|is)\s+(?:they|you|it)\s+looking\s+for\b",
        "employees": r"\bhow\s+many\s+(?:people|employees|staff|workers"
        r"|associates)\b(?:.*\b(?:work|employ|have|has)\w*)?"
        r"|\bnumber\s+of\s+(?:employees|people|staff)\b|\bhead\s?count\b"
        r"|\b(?:size\s+of\s+(?:the\s+)?)?workforce(?:\s+size)?\b"
        r"|\bemployees?\b|\bstaff\b|\bemploy(?:s|ed)?\b",
        "segments": r"\b(?:reportable\s+|operating\s+|business\s+)?segments?\b|\bdivisions?\b"
        r"|\bbusiness\s+units?\b"
        r"|\bbreak(?:s|ing)?\s*-?down\b|\bby\s+(?:region|geography|country|product|segment)\b"
        r"|\bgeograph(?:y|ies|ic(?:al)?)\b|\bregions?\b|\bproduct\s+lines?\b",
        "money": r"\b(?:net\s+)?revenues?\b|\b(?:net\s+)?sales\b|\bturnover\b|\btop\s+line\b"
        r"|\bnet\s+(?:income|loss|profit|earnings)\b"
        r"|\b(?:gross|operating|net)?\s*(?:profit|margin)s?\b|\boperating\s+(?:income|loss"
        r"|result)\b|\bearnings\b"
        r"|\bbottom\s+line\b|\bearn(?:ed|s)?\b|\bma[dk]es?\s+(?:any\s+)?(?:money|a\s+(?:profit|loss))"
        r"|\bin\s+the\s+(?:red|black)\b|\bhow\s+(?:big|large)\s+(?:is|are|was)\b|\b(?:r\s?&\s?d|research\s+(?:and"
        r"|&)\s+development)(?:\s+(?:expenses?|spending|costs?|budget))?\b"
        r"|\bcash(?:\s+and\s+(?:cash\s+)?equivalents?|\s+(?:position|balance"
        r"|on\s+hand))?\b(?!\s+flow)|\b(?:long[- ]term\s+)?debt\b"
        r"|\btotal\s+assets\b|\bassets\b|\bprofitab(?:le|ility)\b|\blos(?:e|t|es"
        r"|ing)(?:\s+money)?\b",
        "place": r"\bhead\s?quarter(?:s|ed)?\b|\bhq\b|\bhead\s+office\b"
        r"|\bwhere\s+(?:do|are)\s+(?:they|you)(?:\s+sit)?\W*$|\bwhere\s+is\b(?=[^?]*(?:based|located|\?|$))"
        r"|\b(?:is\s+)?(?:based|located)\b|\b(?:street\s+|mailing\s+|business\s+)?address\b"
        r"|\bwhich\s+city\b",
        "identity": r"\b(?:stock\s+|share\s+)?(?:ticker|symbol)(?:\s+symbol)?\b"
        r"|\b(?:stock\s+)?exchange\b|\bpublicly\s+(?:traded|listed|held)\b"
        r"|\b(?:is\s+it\s+)?(?:public|listed)\b|\btrade[sd]?\b|\bcik\b"
        r"|\bcentral\s+index\s+key\b|\blei\b|\bweb\s?site\b"
        r"|\bdomain\b|\b(?:main\s+)?(?:tele)?phone(?:\s+number)?\b|\bfound(?:ed|ation)\b"
        r"|\bwhen\s+was\b.*\b(?:start|establish|creat)ed\b"
        r"|\b(?:which|what)\s+(?:industry|sector)\b|\b(?:industry|sector)\b|\bsic(?:\s+code)?\b"
        r"|\bnaics\b"
        r"|\b(?:legal|registered|official)\s+name\b|\bfiscal\s+year[- ]end\b"
        r"|\bfiscal\s+year\s+ends?\b|\bends?\b.*\bfiscal\s+year\b|\be-?mail\b"
        r"|\bshares\s+outstanding\b|\boutstanding\s+shares\b|\bpublic\s+float\b"
        r"|\bmarket\s+cap(?:itali[sz]ation)?\b"
        r"|\bidentifiers?\b",
        "competitors": r"\bcompet(?:e|es|ing|itors?|itions?|itive)\b(?:\s+with)?|\brivals?\b",
        "risks": r"\brisks?(?:\s+factors?)?\b|\bthreats?\b|\bexposed\b",
        "money_made": r"\b(?:how|what|where)\b.*\b(?:makes?|making|earns?|generates?)\s+(?:its\s+"
        r"|their\s+)?(?:money|revenue|income)\b"
        r"|\b(?:business|revenue)\s+model\b|\bmoneti[sz]\w*\b",
        "strategy": r"\bstrateg(?:y|ies|ic)\b|\bpriorit(?:y|ies)\b|\bfocus(?:es|ed"
        r"|ing)?\b(?:\s+on)?|\binitiatives?\b|\broadmap\b",
        "goals": r"\b(?:goals?|targets?|objectives?|ambitions?)\b",
        "technologies": r"\b(?:cms|crm|erp|cdn|web\s+analytics|tag\s+manager|web\s?shop)\b"
        r"|\btechnolog(?:y|ies)\b|\btech(?:nical)?\s+stack\b"
        r"|\bsoftware\s+(?:does|do)\b|\btools\b",
        "products": r"\bproducts?(?:\s+and\s+services)?\b|\bservices\b|\bofferings?\b"
        r"|\bsells?\b|\boffers?\b|\bbrands?\b",
        "customers": r"\bcustomers?\b|\bclients?\b|\bbuys?\s+from\b",
        "family": r"\bsubsidiar(?:y|ies)\b|\bparent(?:\s+company)?\b|\bowned\s+by\b|\bowns?\b",
        "news": r"\bnews\b|\bsignals?\b|\bevents?\b|\bdevelopments?\b|\bannounce(?:d|ment|ments"
        r"|s)?\b|\bhappen(?:ed|ing|s)?\b"
        r"|\bwhat(?:['’]?s|\s+is)\s+new\b|\bchanges?\b(?:\s+(?:in|to))?|\bacqui(?:red?|res"
        r"|sitions?|ring)\b|\bmerge[rd]s?\b"
        r"|\bpartner(?:ship|ed|s)*\b|\blay-?offs?\b|\blaid\s+off\b|\blaunch(?:ed|es)?\b"
        r"|\bappoint(?:ed|ments?|s)?\b"
        r"|\bresign(?:ed|ations?|s)?\b|\bleft\b|\bfinancing\b|\bfunding\b|\brais(?:ed|es?"
        r"|ing)\b|\boffering\b|\bdivest\w*\b|\bsold\b",
        "overview": r"\bwhat\s+(?:does|do)\b.*\bdo\s*\??\s*$|\b(?:tell|describe|explain)\b.*"
        r"|\bwhat\s+(?:is|are)\s+(?=[A-Z])"
        r"|\boverview\b|\bsummar(?:y|i[sz]e)\b|\bprofile\b|\bwho\s+are\s+they\b"
        r"|\bkind\s+of\s+(?:company|business)\b"
        r"|\bwhat\s+(?:line\s+of\s+)?business\b",
    }.items()
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """`kinds` in the order to try; `terms` (stems) are what no kind accounts for, by kind; `every` are
    all of its terms; `proper` are stems of names that it has; `others` are further readings of the same
    message, for when this one finds nothing."""

    text: str
    kinds: tuple[str, ...]
    left: dict[str, tuple[str, ...]]
    every: tuple[str, ...]
    proper: frozenset[str]
    period: Period | None
    refused: str | None
    others: tuple["Question", ...] = ()

    def terms(self, kind: str) -> tuple[str, ...]:
        """What evidence of a kind must still speak of."""
        return self.left.get(kind, self.every)

    def asks(self, pattern: str) -> bool:
        """Whether the words of the question match."""
        return re.search(pattern, self.text, re.I) is not None


def read_question(text: str, names: Collection[str], *, before: str | None = None) -> Question:
    """Read a message; `names` are the company's, `before` the question that it may follow."""
    asked = " ".join(text.split())
    own = {term for name in names for term in terms_of(name)}
    plain = in_english(written_out(asked))
    texts = [plain]
    if before:
        texts = _following(in_english(written_out(" ".join(before.split()))), plain, own)
    texts += [mended(one) for one in texts]
    if plain != written_out(asked):
        texts.append(asked)
    first, *others = [_read(one, own) for one in dict.fromkeys(texts)]
    return replace(first, others=tuple(others), refused=refusal(plain) or refusal(asked))


def _read(asked: str, own: Collection[str]) -> Question:
    period, rest = read_period(asked)
    kinds = tuple(kind for kind, cue in KINDS.items() if cue.search(rest))
    left = {kind: _left(KINDS[kind].sub(" ", rest), own) for kind in kinds}
    every = _left(_HEADS.sub(" ", rest), own) or _left(rest, own)
    proper = frozenset(
        term for word in _PROPER.findall(rest) for term in terms_of(word) if term in every
    )
    return Question(asked, kinds, left, every, proper, period, None)


def refusal(text: str) -> str | None:
    """Why a question is not answered from evidence; None when it may be."""
    if _PERSONAL.search(text):
        return "Questions about people's private lives are not answered."
    if _OPINION.search(text):
        return "Nothing held says that: advice and opinions are not evidence."
    if _FUTURE.search(text):
        return "Nothing held says that: predictions are not evidence."
    if _LIVE.search(text):
        return "Nothing held says that: prices of the day are not evidence."
    return None


def _following(before: str, asked: str, own: Collection[str]) -> list[str]:
    """The readings of a message that may continue another, likeliest first."""
    continues = _CONTINUES.search(asked) is not None
    if len(asked) >= _LONGEST_FOLLOWING or not (continues or _REFERS.search(asked)):
        return [asked]
    period, rest = read_period(_LAST_YEAR.sub(" the year before ", asked))
    earlier, undated = read_period(before)
    kinds = [kind for kind, cue in KINDS.items() if cue.search(rest)]
    if period is not None and period.step and earlier is not None and earlier.year:
        quarter = f"Q{earlier.quarter} " if earlier.quarter else ""
        return [f"{undated.rstrip('?. ')} in {quarter}FY{earlier.year - 1}", asked]
    if kinds:
        dated = period is None and earlier is not None and earlier.year and not _is_who(asked)
        own_words = f"{asked.rstrip('?. ')} in {earlier.label}" if dated and earlier else asked
        return [own_words, f"{before.rstrip('?. ')} {asked}"] if continues else [own_words]
    if period is not None:
        said = _LAST_YEAR.sub("the year before", asked)
        return [f"{undated.rstrip('?. ')} {said}", asked]
    whole = f"{before.rstrip('?. ')} {asked}"
    swapped = f"{_without_subject(before, own)} {asked}"
    return [swapped, whole, asked] if continues else [asked, whole, swapped]


def _is_who(asked: str) -> bool:
    return re.match(r"\W*(?:and\s+)?who\b", asked, re.I) is not None


def _without_subject(before: str, own: Collection[str]) -> str:
    """An earlier question without what it was about in particular: "revenue in" of "revenue in Asia"."""
    question = _read(before, own)
    kind = question.kinds[0] if question.kinds else ""
    subject = set(question.terms(kind))
    words = [word for word in before.rstrip("?. ").split() if not terms_of(word) & subject]
    return " ".join(words) if question.kinds else before.rstrip("?. ")


def _left(text: str, own: Collection[str]) -> tuple[str, ...]:
    return tuple(term for term in asked_terms(text) if term not in own)


def all_covered(terms: Sequence[str], held: set[str]) -> bool:
    """Whether a text of these stems speaks of every term."""
    return all(covers(term, held) for term in terms)
