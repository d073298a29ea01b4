"""Short names for statements, made from the document's own headings, captions and clauses."""

import re
from typing import Final

from sightline.domain.casing import shouts
from sightline.profile.sentences import spaced

LONGEST_NAME: Final = 80
_SHORTEST_CUT: Final = 24
_AIM: Final = 62

_NUMBERING = re.compile(r"^\s*(?:[•●▪■◦·*–—-]+|\(?(?:[ivx]{1,4}|[a-z]|\d{1,2})[.)](?=\s))\s*")
# Where a clause may be left off without changing what the words before it say.
_CLAUSE = re.compile(
    r"(?:,|;)?\s(?=(?:which|because|when|where|while|if|due to|resulting|including|in order to|as well as"
    r"|such as|through|particularly|especially|whether|so that|by|unless|until|as we|as a result"
    r"|and (?:may|could|can|any|our|we|the|if|adversely|harm|negatively|materially|result|cause|impact"
    r"|affect|thereby|therefore|to)|or (?:may|could|if|our|we|the|otherwise)"
    r"|(?:that|which) (?:may|could|might|would|will|can)"
    r"|but|across|to (?:help|enable|ensure|support|better|further|meet))\b)"
    r"|[,;:]\s|\s[–—]\s"
)
_SUFFERED = re.compile(
    r"^(?:we|our (?:business|operations|results|financial|revenues?|sales|operating|success"
    r"|future)[\w ,]{0,60}?)"
    r" (?:(?:may|could|might|will|can|has|have|in the|past|future|continue to|been|be|is|are|and),? ?){1,9}"
    r"(?:materially |adversely |negatively |and |significantly )*(?:affected|harmed|impacted|disrupted)"
    r" (?:by|if|due to) (?P<cause>.{12,})$",
    re.I,
)
_EFFECT = re.compile(
    r"(?:,? (?:which|that|and|any of which|all of which))?,? (?:could|may|might|will|would|can|has|have)\b"
    r"(?=.{0,90}\b(?:advers|harm|negativ|damag|impair|disrupt|hurt|affect|reduc|impact|result"
    r" in|limit|lead to"
    r"|cause|decrease|increase (?:our |the )?(?:\w+ )?(?:costs?|expenses?)|expose|declin"
    r"|weaken|prevent|interfere|subject us))",
    re.I,
)
_BARE_SUBJECT = re.compile(
    r"^(?:we|our (?:business|operations|results|operating results|financial condition"
    r"|revenues?|future|company"
    r"|ability)(?:[\w ,]*(?:condition|results|operations|prospects))?|if |this|these|they|it)\b",
    re.I,
)
_SHORTEST_RISK: Final = 8
_FINITE = re.compile(
    r"\b(?:could|may|might|will|would|can|must|is|are|has|have|was|were|do|does|face|rely|depend|expose"
    r"|use|offer|provide|operate|sell|serve|plan|intend|expect)s?\b",
    re.I,
)
# ", brand image and culture": the rest of an enumeration.
_LISTED = re.compile(r"^,\s(?:[\w’'&-]+\s?){1,4}(?:,|\s(?:and|or)\b)")
_HANGS = re.compile(
    r"(?:\b(?:have|has|had|is|are|was|were|be|been|being|will|may|can|could|not|to|more|most"
    r"|our|their|and|or"
    r"|of|in|on|at|for|with|by|from|a|an|the|that|which|between|than|as)"
    r"|\b(?:have|has|had|been) (?:\w+ )?\w+ed|\b(?:have|has|had) been|\bto [a-z]+|\bby [a-z]+ing|,\s\w+)$",
    re.I,
)
_TAIL = re.compile(
    r"[\s,;:–—-]+(?:a|an|the|and|or|but|of|in|on|at|to|for|from|by|with|as|that|which|our|its|their|is|are"
    r"|we|may|could|including|such|this|these|both|into|through|any|have|has|be)?$",
    re.I,
)
_PHRASE = re.compile(r"\s(?=(?:for|from|with|on|in|to|at|among|between|under|of)\b)")
_IF_CLAUSE = re.compile(
    r"^(if .+?),\s+(?:then |and )?(?:our|we|it|its|the|this|that|then|such|any|there|customers|demand)\b",
    re.I,
)
_REPHRASED: Final = (
    (re.compile(r"^if (?:we|our \w+|the company) (?:is |are )?fails? to ", re.I), "Failure to "),
    (
        re.compile(r"^if (?:we|the company) (?:are|is) (?:not able|unable) to ", re.I),
        "Inability to ",
    ),
    (re.compile(r"^if (?:we|the company) (?:do|does|can)\s?not ", re.I), "Failure to "),
    (
        re.compile(r"^(?:we|the company) may (?:not be able|be unable) to ", re.I),
        "Possible inability to ",
    ),
    (re.compile(r"^(?:our|the company’s|the company's) (?=inability|failure|ability)", re.I), ""),
)
_GENERIC = re.compile(
    r"^(?:(?:item|part|note)\s*\d.*|overview|general|introduction|background|business|our business(?:es)?"
    r"|(?:our |the )?company(?: overview)?|(?:our |business |growth |corporate )*strateg(?:y"
    r"|ies)|competition"
    r"|risk factors.*|(?:summary|risks?) (?:of|related|relating|associated|specific).*|risk"
    r" factors? summary"
    r"|management[’']s discussion.*|results of operations|(?:year|quarter|months?|fiscal|three"
    r"|six|nine|twelve)\b.*"
    r"|executive (?:overview|summary)|highlights?|other|consolidated.*|financial (?:highlights|overview).*"
    r"|(?:critical )?accounting.*|products(?: and services)?|services|home(?: ?page)?|about(?:"
    r" us)?|news(?:room)?"
    r"|blog|careers|contact.*|competitive (?:conditions|environment|landscape|position"
    r"|strengths?)|competitors"
    r"|our (?:products|markets?|customers|people|competition|values|solutions?|strengths?|opportunity)"
    r"|markets?|customers?|industry|revenues?|net (?:sales|revenues?)|segments?|.*\bcompared"
    r" (?:to|with)\b.*"
    r"|.*\bended\b.*|liquidity.*|introduction.*|available information|welcome.*|human capital.*|trends.*"
    r"|key (?:trends|factors|metrics).*|recent developments.*|investments?|seasonality|operating segments?"
    r"|reportable segments?|description of business|business description|corporate information|growth"
    r"|our growth|why .*|what .*|how .*|research and development)$",
    re.I,
)
_LEADS = re.compile(
    r"^(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|to [a-z][^,]{10,110}|in (?:addition|fiscal"
    r" \d{4}|\d{4})|additionally|further(?:more)?|moreover|also|as a result|overall"
    r"|accordingly|today|currently|as of [^,]{4,25}|during [^,]{4,40}|for (?:example|instance)"
    r"|finally|however"
    r"|to that end|looking ahead|going forward|over time|in (?:january|february|march|april|may|june|july"
    r"|august|september|october|november|december)[^,]{0,10}),\s+",
    re.I,
)
_OFFERING = re.compile(
    r"^we (?:also |currently |now )?(?:offer|provide|have|use|operate|maintain)\s+(?=[a-z])"
    r"|^we (?:also |have )?"
    r"(?=(?:\w+ed|built|made|began|grew|won|launched|led|sold|drew)\s)|^we (?:also )?(?:are"
    r"|were)\s+(?=\w+ing\b)"
    r"|^we believe (?:that )?(?=our |the )",
    re.I,
)
_SUBJECT = re.compile(
    r"^(?:we|the company)(?: also| currently| continually| further)?\s+(?:(?:plan|intend|aim"
    r"|expect|seek|strive"
    r"|hope|believe|continue|work|look|are (?:committed|focused|working|continuing|seeking"
    r"|striving|planning))"
    r"\s+(?:to|that|on|in)\s+|(?:will|are)\s+(?:continue to\s+)?)",
    re.I,
)


def heading_name(heading: str | None) -> str | None:
    """A heading as a name; None when it is missing or says nothing by itself."""
    text = tidy(heading or "")
    if len(text) < 4 or _GENERIC.match(text) or not re.search(r"[^\W\d_]{3}", text):
        return None
    if re.search(r"\|", text) or re.match(r"[($\d]", text) or text.count(".") > 2:
        return None
    return shorten(text)


def tidy(text: str) -> str:
    """A heading without numbering, closing marks and shouting."""
    text = _NUMBERING.sub("", spaced(text)).strip(" .:;–—-*")
    if shouts(text) and len(text) > 6:
        text = _quiet(text)
    return text


def _quiet(text: str) -> str:
    """Capitals as a sentence; words of up to four letters without vowels stay: they are acronyms."""
    words = []
    for place, word in enumerate(text.split(" ")):
        bare = re.sub(r"\W", "", word)
        keeps = bool(re.fullmatch(r"[^AEIOUY]{2,4}|U\.?S\.?A?|AI|IT|EU|UK|IP|EMEA|APAC", bare))
        words.append(word if keeps else word.capitalize() if place == 0 else word.lower())
    return " ".join(words)


def shorten(text: str, most: int = LONGEST_NAME) -> str:
    """A clause of at most `most` characters from the beginning of the text."""
    text = spaced(text).strip(" .:;–—-")
    if found := _IF_CLAUSE.match(text):
        text = found[1]
    for pattern, instead in _REPHRASED:
        text, replaced = pattern.subn(instead, text, count=1)
        if replaced:
            break
    text = re.sub(r"^if\s+", "", text, flags=re.I)
    if len(text) > _AIM:
        text = _cut_to(text, most)
    return text[:1].upper() + text[1:]


def _cut_to(text: str, most: int) -> str:
    """A long text up to the end of a clause, else of a phrase, else of a word."""
    cuts = [f.start() for f in _CLAUSE.finditer(text) if _can_cut(text, f.start(), most)]
    if not cuts:
        cuts = [f.start() for f in _PHRASE.finditer(text) if _can_cut(text, f.start(), most)]
    near = [at for at in cuts if at <= _AIM]
    if cuts and (near or len(text) > most):
        return _without_tail(text[: near[-1] if near else cuts[0]])
    if len(text) <= most:
        return text
    return _without_tail(_without_tail(text[: most - 1].rsplit(" ", 1)[0]) + "…")


def _can_cut(text: str, at: int, most: int) -> bool:
    """Whether what stands before is a clause of its own, not half an enumeration or a verb alone."""
    head = text[:at]
    if not _SHORTEST_CUT <= at <= most or _HANGS.search(head):
        return False
    if head.count("(") > head.count(")"):
        return False
    rest = text[at:]
    return rest.startswith(", as well") or not (_LISTED.match(rest) and not _FINITE.search(head))


def risk_name(caption: str) -> str | None:
    """The caption of a risk without what it could do to "our business": the risk itself."""
    text = tidy(caption)
    if found := _SUFFERED.match(text):
        text = found["cause"]
    elif (found := _EFFECT.search(text)) and found.start() >= _SHORTEST_RISK:
        head = text[: found.start()].rstrip(" ,")
        if not _BARE_SUBJECT.match(head) and len(head.split()) > 1:
            text = head
    return heading_name(text)


def sentence_name(text: str, what: str | None = None) -> str:
    """A name for a sentence: the clause that a cue found (`what`), else its beginning."""
    if what and len(what) >= _SHORTEST_CUT / 2:
        return shorten(what)
    text = _LEADS.sub("", text)
    shorter = _OFFERING.sub("", _SUBJECT.sub("", text))
    return shorten(shorter if len(shorter) > _SHORTEST_CUT else text)


def _without_tail(text: str) -> str:
    ellipsis = text.endswith("…")
    text = text.removesuffix("…")
    for _ in range(4):
        shorter = _TAIL.sub("", text)
        if shorter == text:
            break
        text = shorter
    if text.count("(") > text.count(")"):
        text, ellipsis = text.rpartition("(")[0].rstrip(" ,;"), False
    return text.strip(" ,;:–—-") + ("…" if ellipsis else "")
