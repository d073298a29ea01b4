"""Short names for statements, made from the document's own headings, captions and clauses."""

import re
from typing import Final

from sightline.domain.casing import shouts
from sightline.profile.cutting import LONGEST_NAME, cut_to
from sightline.profile.sentences import spaced

_SHORTEST: Final = 24
_SHORTEST_WHAT: Final = 12
_SHORTEST_RISK: Final = 8

_NUMBERING = re.compile(r"^\s*(?:[•●▪■◦·*–—-]+|\(?(?:[ivx]{1,4}|[a-z]|\d{1,2})[.)](?=\s))\s*")
_ASIDES = re.compile(r"\s*\([^()]*\)")
_SUFFERED = re.compile(
    r"^(?:we|our (?:business|operations|results|financial|revenues?|sales|operating|success"
    r"|future)[\w ,]{0,60}?)"
    r" (?:(?:may|could|might|will|can|has|have|in the|past|future|continue to|been|be|is|are"
    r"|and),? ?){1,9}"
    r"(?:materially |adversely |negatively |and |significantly )*(?:affected|harmed|impacted"
    r"|disrupted)"
    r" (?:by|if|due to) (?P<cause>.{12,})$",
    re.I,
)
_EFFECT = re.compile(
    r"(?:,? (?:which|that|and|any of which|all of which))?,? (?:could|may|might|will|would|can"
    r"|has|have)\b"
    r"(?=.{0,90}\b(?:advers|harm|negativ|damag|impair|disrupt|hurt|affect|reduc|impact|result"
    r" in|limit|lead to"
    r"|cause|decrease|increase (?:our |the )?(?:\w+ )?(?:costs?|expenses?)|expose|declin"
    r"|weaken|prevent|interfere|subject us))",
    re.I,
)
_BARE_SUBJECT = re.compile(
    r"^(?:we|(?:our|the company[’']s) (?:business|operations|(?:operating |financial )?results"
    r"|financial (?:condition|performance|position)|revenues?|future|company|success|growth"
    r"|goodwill|ability)(?:[\w ,]*(?:condition|results|operations|prospects|assets))?"
    r"|if |this|these|they|it)\b",
    re.I,
)
_IF_CLAUSE = re.compile(
    r"^(if .+?),\s+(?:then |and )?(?:our|we|it|its|the|this|that|then|such|any|there|customers"
    r"|demand)\b",
    re.I,
)
# Conditions as what may happen; a condition that no rule turns keeps its "If".
_REPHRASED: Final = tuple(
    (re.compile(pattern, re.I), instead)
    for pattern, instead in (
        (r"^if (?:we|the company) (?:is |are )?fails? to ", "Failure to "),
        (r"^if (?:we|the company) (?:are|is) (?:not able|unable) to ", "Inability to "),
        (r"^if (?:we|the company) (?:(?:do|does|can|could)\s?not|cannot) ", "Failure to "),
        (r"^if (?P<who>.{4,75}?) (?:fails?) to ", r"\g<who> may fail to "),
        (r"^if (?P<who>.{4,60}?) fails?$", r"\g<who> may fail"),
        (r"^if (?P<who>.{4,60}?) (?:does|do) not ", r"\g<who> may not "),
        (r"^if (?P<who>.{4,60}?) (?:is|are) (?P<not>not )?(?=\w)", r"\g<who> may \g<not>be "),
        (r"^(?:we|the company) may (?:not be able|be unable) to ", "Possible inability to "),
        (
            r"^(?:we|the company) (?:may|could|might) lose (?P<what>.+?)(?:,? (?:and|or) (?:may"
            r"|be)\b.*)?$",
            r"Loss of \g<what>",
        ),
        (
            r"^(?:we|the company) (?:currently |expect to )?(?:derives?|generates?|receives?"
            r"|obtains?) (?:an? |the )?"
            r"(?:\w+ )?(?:portion|majority|percentage|amount|part|share) of (?:our"
            r"|its) (?:\w+ )?(?:revenues?"
            r"|sales|income|products|supplies|components) from ",
            "Dependence on ",
        ),
        (
            r"^(?:we|the company) (?:(?:may|could|might|will|also|currently|generally"
            r"|expect to)\s)*"
            r"(?:face|experience|encounter|incur|be (?:subject|exposed) to"
            r"|(?:are|is) (?:subject|exposed) to)s? (?=[a-z])(?!(?:from|in|as)\b)",
            "",
        ),
        (
            r"^(?:we|the company) (?:(?:are|is) )?(?:\w+ly )?(?:depend(?:s|ent)?|rely|relies"
            r"|reliant)"
            r"(?: \w+ly)? (?:up)?on ",
            "Dependence on ",
        ),
        (r"^(?:our|the company[’']s) (?=inability|failure|ability)", ""),
    )
)
_GENERIC = re.compile(
    r"^(?:(?:item|part|note)\s*\d.*|overview|general|introduction|background|business"
    r"|our business(?:es)?"
    r"|(?:our |the )?company(?: overview)?|(?:our |business |growth |corporate )*strateg(?:y"
    r"|ies)|competition"
    r"|risk factors.*|(?:summary|risks?) (?:of|related|relating|associated|specific).*|risk"
    r" factors? summary"
    r"|management[’']s discussion.*|results of operations|(?:year|quarter|months?|fiscal|three"
    r"|six|nine|twelve)\b.*"
    r"|executive (?:overview|summary)|highlights?|other|consolidated.*|financial (?:highlights"
    r"|overview).*"
    r"|(?:critical )?accounting.*|products(?: and services)?|services|home(?: ?page)?|about(?:"
    r" us)?|news(?:room)?"
    r"|blog|careers|contact.*|competitive (?:conditions|environment|landscape|position"
    r"|strengths?)|competitors"
    r"|our (?:products|markets?|customers|people|competition|values|solutions?|strengths?"
    r"|opportunity)"
    r"|markets?|customers?|industry|revenues?|net (?:sales|revenues?)|segments?|.*\bcompared"
    r" (?:to|with)\b.*"
    r"|.*\bended\b.*|liquidity.*|introduction.*|available information|welcome.*|human capital.*"
    r"|trends.*"
    r"|key (?:trends|factors|metrics).*|recent developments.*|investments?|seasonality"
    r"|operating segments?"
    r"|reportable segments?|description of business|business description|corporate information"
    r"|growth"
    r"|our growth|why .*|what .*|how .*|research and development|(?:investing|financing|operating)"
    r" activities|increases?(?: ?/ ?\(?decreases?\)?)?|gross (?:profit|margin)|results|outlook"
    r"|cash flows?"
    r"|über uns|unternehmen|startseite|willkommen.*|aktuelles|leistungen|à propos|qui sommes.*"
    r"|accueil|bienvenue.*|actualités|sobre nosotros|quiénes somos|inicio|bienvenid.*|noticias)$",
    re.I,
)
_LEADS = re.compile(
    r"^(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|to [a-z][^,]{10,110}|in (?:addition|fiscal"
    r" \d{4}|\d{4}|recent years|[^,]{3,40} (?:19|20)\d\d)|additionally|further(?:more)?|moreover"
    r"|also"
    r"|as a result|overall|accordingly|today|currently|generally|historically|recently"
    r"|(?:as of|during|for|over) [^,]{4,60}?(?:, (?:19|20)\d\d)*(?:,? and (?:19|20)\d\d)?"
    r"|for (?:example|instance)|finally|however"
    r"|to that end|looking ahead|going forward|over time|in return|at times|more specifically"
    r"|in (?:january|february"
    r"|march|april|may|june|july|august|september|october|november"
    r"|december)[^,]{0,10})(?:, \d{4})?,\s+",
    re.I,
)
# "While …, we": a clause before the subject, whatever it says.
_CLAUSE_BEFORE = re.compile(
    r"^(?:while|as|by|based on|given|with|through|although|because|since|under|at|on|in|across"
    r"|within|for"
    r"|from|when|after|before|outside of|despite|due to|unlike|bringing|building|using"
    r"|leveraging)\b"
    r".{3,220}?,\s+(?:and )?(?=(?:we|our|the company|it is|there (?:is|are)|the \w+ (?:is|are"
    r"|has|will))\b)",
    re.I,
)
# Of a clause found by a cue: when it is to be, that it goes on, to whom it is offered.
_BEFORE = re.compile(
    r"^(?:(?:by|in|for|over|during|within|through) [^,]{3,40},\s+|also |further |continue to )+"
    r"|^(?:bieten|bietet|proposons|propose|offrons|offre|ofrecemos|ofrece) (?:ihnen |vous |le "
    r"|les )?",
    re.I,
)
_WE = re.compile(r"^(?:wir sind|wir|nous sommes|nous|nosotros somos|nosotros|somos) ", re.I)
# "In oral care, there are …", unless the comma begins an enumeration: "In Norway, Spain and …".
_AT_FIRST = re.compile(
    r"^(?:(?:while|as|although|despite|because|since|given|in|at|within|across|through|for"
    r"|outside)"
    r" [^,]{3,160},(?!\s(?:[\w’'&-]+\s?){1,4}(?:,|\s(?:and|or)\b)) )?(?:there (?:is|are) )?",
    re.I,
)
_PERIOD = re.compile(
    r",? (?:in|for|during) the (?:years?|quarters?|three|six|nine"
    r"|twelve)\b[^,]{0,40} ended [A-Z][a-z]+"
    r" \d{1,2}, \d{4}.*$"
)
_TO_DO = (
    r"(?:plan|intend|aim|expect|seek|strive|hope|believe|continue|work|look|need|begin|began"
    r"|(?:are|is) (?:committed|focused|working|continuing|seeking|striving|planning|looking))s?"
)
_SUBJECT = re.compile(
    r"^(?:we|the company)(?:,? (?:also|currently|continually|further|now|generally|primarily"
    r"|therefore"
    r"|typically|believe(?:s)? (?:that )?we)(?:,)?)*\s+"
    rf"(?:(?:(?:will|may|can|must) )?(?:{_TO_DO})\s+(?:to|that|on|in)\s+(?:continue to\s+)?"
    r"|believes?\s+(?:that\s+)?|(?:will|are|is|were|have|has|had)\s+(?:also |now |currently "
    r"|recently |been )*"
    r"(?:continue to\s+)?|(?=[a-z]+\b))",
    re.I,
)
_SEES = re.compile(
    r"^(?:see|have|face)s? (?=(?:an?|many|several|significant|strong|aggressive|intense)\b)", re.I
)
_NO_VERB = re.compile(
    r"^(?:not|no|in|at|to|from|subject|may|could|might|would|can|cannot|must|do|does|did|should"
    r"|had"
    r"|well|also|and|or|as|on|for|under|required|able|unable|dependent|aware|party)\b",
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
    text = cut_to(text, most)
    return text[:1].upper() + text[1:]


def risk_name(caption: str) -> str | None:
    """The caption of a risk without what it could do to "our business": the risk itself."""
    text = _ASIDES.sub("", tidy(caption))
    if found := _SUFFERED.match(text):
        text = found["cause"]
    elif (found := _EFFECT.search(text)) and found.start() >= _SHORTEST_RISK:
        head = text[: found.start()].rstrip(" ,")
        if not _BARE_SUBJECT.match(head) and len(head.split()) > 1:
            text = head
    return heading_name(text)


def sentence_name(text: str, what: str | None = None, *, language: str = "en") -> str:
    """A name for a sentence: the clause that a cue found (`what`), else what is said of its subject."""
    if what and len(what) >= _SHORTEST_WHAT:
        return shorten(_BEFORE.sub("", _ASIDES.sub("", what), count=1))
    text = _ASIDES.sub("", spaced(text))
    if language != "en":
        return shorten(_WE.sub("", text, count=1))
    for lead in (_LEADS, _CLAUSE_BEFORE, _LEADS, _AT_FIRST):
        shorter = lead.sub("", text, count=1)
        text = shorter if len(shorter) > _SHORTEST else text
    text = _PERIOD.sub("", text, count=1)
    shorter = _SUBJECT.sub("", text, count=1)
    if len(shorter) > _SHORTEST and not _NO_VERB.match(shorter):
        text = _SEES.sub("", shorter, count=1)
    return shorten(text)
