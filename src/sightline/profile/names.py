"""Short names for statements, made from the document's own headings, captions and clauses."""

import re
from collections.abc import Iterator
from typing import Final

from sightline.domain.casing import shouts
from sightline.profile.cutting import LONGEST_NAME, compressed, cut_off, cut_to
from sightline.profile.first_person import imperative
from sightline.profile.rephrasing import REPHRASED
from sightline.profile.sentences import spaced

_SHORTEST: Final = 24
_SHORTEST_WHAT: Final = 12
_SHORTEST_RISK: Final = 8
_STRETCH: Final = 20  # characters over the limit that a name may have rather than be half

_NUMBERING = re.compile(r"^\s*(?:[•●▪■◦·*–—-]+|\(?(?:[ivx]{1,4}|[a-z]|\d{1,2})[.)](?=\s))\s*")
_ASIDES = re.compile(r"\s*\([^()]*\)(?!\s?%)")
_SUFFERED = re.compile(
    r"^(?:we|(?:our|the company[’']s) (?:business|operations|results|financial|revenues?|sales"
    r"|operating|success|products?|services|platforms?|reputation|brands?|profitability|growth"
    r"|future)[\w ,]{0,60}?)"
    r" (?:(?:may|could|might|will|can|has|have|in the|past|future|continue to|been|be|is|are"
    r"|and),? ?){1,9}"
    r"(?:materially |adversely |negatively |and |significantly )*(?:affected|harmed|impacted"
    r"|disrupted)"
    r" (?:from time to time )?(?:by|if|due to) (?P<cause>.{12,})$",
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
_WAITS_FOR_VERB = re.compile(r"\b(?:who|which|that|and|or|not)$", re.I)
_IF_CLAUSE = re.compile(
    r"^(if .+?),\s+(?:then |and )?(?:our|we|it|its|the|this|that|then|such|any|there|customers"
    r"|demand)\b",
    re.I,
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
    r"^(?:in the [^,]{0,30}\b(?:year|quarter|months)\b[^,]{0,30}, (?:19|20)\d\d"
    r"|from an? [^,]{3,40} (?:perspective|standpoint)"
    r"|first(?:ly)?|second(?:ly)?|third(?:ly)?|to [a-z][^,]{10,110}|in (?:addition|fiscal"
    r" \d{4}|\d{4}|recent years|[^,]{3,40} (?:19|20)\d\d)|additionally|further(?:more)?|moreover"
    r"|also|increasingly|similarly|likewise|consequently|therefore|thus|instead|conversely"
    r"|as a result|overall|accordingly|today|currently|generally|historically|recently"
    r"|(?:as of|during|for|over) (?![^,]*\b(?:we|our)\b)[^,]{4,60}?(?:, (?:19|20)\d\d)*(?:,? and (?:19"
    r"|20)\d\d)?"
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
    r"|within|for|like|beginning|once|regardless|until|unless|to"
    r"|from|when|after|before|outside of|despite|due to|unlike|bringing|building|using"
    r"|leveraging)\b"
    r".{3,220}?,\s+(?:and )?(?!(?:the|an?|our) [\w-]+(?:,| and\b))(?=(?i:(?:we|our|the|an?|any|some|many"
    r"|most|certain|several|it is"
    r"|there (?:is|are)|competition|demand|[a-z]+s (?:are|have|will|may|can|tend))\b)"
    r"|(?-i:[A-Z]\S+ (?:is|are|has|have|will|presents?|may)\b))",
    re.I,
)
# "In the fourth quarter we launched …": no comma parts it.
_PHRASE_BEFORE = re.compile(
    r"^(?:in|during|over|for|from|at|by|within|throughout) [^,;]{3,50}? (?=(?:we|the company) [a-z])",
    re.I,
)
# What still begins so after all is half a sentence, not a name.
_HALF = re.compile(
    r"^(?:while|although|though|because|since|unless|until|whether|regardless|once|as well as"
    r"|and|or|but|which|who|that|(?:this|these|those|it|they|he|she|their|his|her|its|such)(?! as)"
    r"|with|when|based on|under|from|in|on the|at|to|any (?:delays?|such|of)|as a result|not)\b",
    re.I,
)
_SENTENCE = re.compile(
    r"^(?:(?:we|our|the|it|they|there|these|those|in|on|for|at|an?|any|some|certain|many)\b.*"
    r"\b(?:is|are|was|were|has|have|had|will|may|might|can|could|must|do|does|depends?|requires?|involves?"
    r"|includes?|continues?|allows?|enables?|supports?|faces?)\b"
    r"|(?:built|began|made|grew|sold|spent|held|led|ran|(?!(?:need|speed|embed|seed|feed|proceed"
    r"|exceed|succeed|shed)\b)[a-z]+ed) )",
    re.I,
)
# "Grow with them", "Address them with …": whom or what, the name does not say.
_POINTS_BACK = re.compile(r"^\w+ (?:with |to |on |for )?(?:them|it)\b|^(?:does?|so) [a-z]+ ", re.I)
# "Demand for our aircraft is further influenced by …": what a sentence is about.
_TOPIC = re.compile(
    r"^(?!(?:we|it|they|he|she|this|these|those|there|if|when|while|although|to|in)\b)"
    r"(?P<topic>[^,;:“”\"]{12,70}?) (?:is|are|was|were|has|have|had|will|may|can|could|might|must|would"
    r"|continues?|remains?|depends?|includes?|consists?|represents?|provides?|results?|contributed"
    r"|started|increased|decreased|enables?|allows?|requires?|restricts?|exposes?|contains?|offers?"
    r"|imposes?|accounted)\b",
    re.I,
)
# "Cost of revenue primarily consists of …": a definition is named by the thing.
_CONSISTS = re.compile(
    r"^(?:the company[’']s |the |our )?(?P<thing>(?=[^,.;:]*\b(?:revenues?|sales|costs?|expenses?|fees|income"
    r"|charges|margins?|spending|restructuring)\b)[A-Za-z][\w’'&/() -]{5,60}?) "
    r"(?:also |primarily |mainly |principally |generally )*(?:consists?|(?:is|are) (?:also |primarily "
    r"|mainly |principally )?(?:comprised|composed|made up)|comprises?|includes?)\b",
    re.I,
)
_NO_TOPIC = re.compile(
    r"\b(?:that|which|who|whose|where|when|how|we|they|it|and|or|of|to|not)$", re.I
)
# That it is about an industry says nothing where all is about industries.
_OF_A_TRADE = re.compile(r"\b(?:industry|industries|markets?|environment|economy|segments?)$", re.I)
_RELATIVE = re.compile(r"\b(?:that|which|who|where|when|if) ", re.I)
_VAGUE: Final = frozenset(
    "our the a an of and or for to in business businesses operations results financial condition company"
    " company's activities products services platforms platform customers existing new future success"
    " growth ability solutions offerings performance revenue revenues sales".split()
)
_ADVERBS = re.compile(r"(?: (?:also|now|often|still|\w+ly))+$")
_SHORTEST_TOPIC: Final = 20
# "relationships with, and outcomes for, our customers": the noun of both is still to come.
_SHARED = re.compile(
    r" (with|to|for|in|of|by|from|on), (?:and|or) [^,]{3,70} (?:with|to|for|in|of|by|from|on), "
)
_FIRST_SENTENCE = re.compile(
    r"^(?P<first>.{24,80}?[a-z)](?<!Inc)(?<!Corp)(?<!Ltd)(?<!Co)(?<!No)(?<!St))[.!?] (?=[A-Z“\"])"
)
# What a danger could do, where it is named already.
_CONSEQUENCE = re.compile(
    r",? (?:which|that|and) (?:also |have |has |had )?(?:could|may|might|can|carry|caused|subject|expose)\b.*"
    r"|, we \w+.*|,? (?:and|or) (?:any |our )?fail\w*\b.*"
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
    r" [^,]{3,160},(?!\s(?:(?!(?:has|have|is|are|was|were|will) )[\w’'&-]+\s?){1,4}"
    r"(?:,|\s(?:and|or)\b)) )?(?:there (?:is|are) )?",
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
_BELIEVED = re.compile(
    r"^(?:continue to )?believes? (?:that )?(?:we (?:are |have )|(?=our |the ))", re.I
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
    text = _SHARED.sub(r" \1 ", spaced(text).strip(" .:;–—-"), count=1)
    if found := _FIRST_SENTENCE.match(text):
        text = found["first"]
    if found := _IF_CLAUSE.match(text):
        text = found[1]
    for pattern, instead in REPHRASED:
        text, replaced = pattern.subn(instead, text, count=1)
        if replaced:
            short = _CONSEQUENCE.sub("", text)
            text = short if len(short) >= _SHORTEST_WHAT else text
            break
    made = found["thing"] if (found := _CONSISTS.match(text)) else None
    made = made or _shortest(text, most)
    return made[:1].upper() + made[1:]


def _shortest(text: str, most: int) -> str:
    """A text by the first way of shortening it that leaves something whole."""
    if len(text) <= most and not _is_vague(text):
        return text
    for short in _shortened(text, most):
        if short is not None and len(short) <= most + _STRETCH and not _is_vague(short):
            return short
    return cut_off(text, most) if len(text) > most else text


def _shortened(text: str, most: int) -> Iterator[str | None]:
    yield cut_to(text, most)
    spare = compressed(text)
    yield cut_to(spare, most)
    yield _topic(text)
    yield cut_to(text, most + _STRETCH)
    yield cut_to(spare, most + _STRETCH)
    yield cut_to(text, most, lists=True)
    yield _topic(text, of_a_trade=True)


def _topic(text: str, *, of_a_trade: bool = False) -> str | None:
    """What a sentence speaks of, where it says enough by itself."""
    found = _TOPIC.match(text)
    if found is None or _RELATIVE.search(found["topic"]) or _NO_TOPIC.search(found["topic"]):
        return None
    topic = _ADVERBS.sub("", found["topic"])
    if _is_vague(topic) or (_OF_A_TRADE.search(topic) and not of_a_trade):
        return None
    return topic if len(topic) >= _SHORTEST_TOPIC else None


def _is_vague(text: str) -> bool:
    return all(word in _VAGUE for word in text.casefold().replace("’", "'").split())


def is_half(name: str) -> bool:
    """Whether a name is the beginning or the rest of a sentence rather than a title."""
    return is_cut(name) or bool(_HALF.match(name) or _POINTS_BACK.search(name))


def is_title(name: str) -> bool:
    """Whether a name is one that can be spoken of: no sentence, and nothing that was done."""
    return not (is_half(name) or _SENTENCE.match(name))


def is_cut(name: str) -> bool:
    """Whether a name ends where no clause or phrase does."""
    return name.endswith("…")


def _without_lead(text: str) -> str:
    """A sentence without the words and clauses before its subject."""
    for lead in (_LEADS, _CLAUSE_BEFORE, _LEADS, _PHRASE_BEFORE):
        shorter = lead.sub("", text, count=1)
        if len(shorter) > _SHORTEST and not _HALF.match(shorter):
            text = shorter
    return text


def risk_name(caption: str) -> str | None:
    """The caption of a risk without what it could do to "our business": the risk itself."""
    text = _without_lead(_ASIDES.sub("", tidy(caption)))
    if found := _SUFFERED.match(text):
        text = found["cause"]
    elif (found := _EFFECT.search(text)) and found.start() >= _SHORTEST_RISK:
        head = text[: found.start()].rstrip(" ,")
        bare = _BARE_SUBJECT.match(head) or _is_vague(head) or _WAITS_FOR_VERB.search(head)
        if not bare and len(head.split()) > 1:
            text = head
    return heading_name(text)


def sentence_name(text: str, what: str | None = None, *, language: str = "en") -> str:
    """A name for a sentence: the clause that a cue found (`what`), else what is said of its subject."""
    if what and len(what) >= _SHORTEST_WHAT:
        return shorten(imperative(_BEFORE.sub("", _ASIDES.sub("", what), count=1)))
    text = _ASIDES.sub("", spaced(text))
    if language != "en":
        return shorten(_WE.sub("", text, count=1))
    text = _without_lead(text)
    shorter = _AT_FIRST.sub("", text, count=1)
    text = shorter if len(shorter) > _SHORTEST and not _HALF.match(shorter) else text
    text = _PERIOD.sub("", text, count=1)
    shorter = _SUBJECT.sub("", text, count=1)
    if len(shorter) > _SHORTEST and not _NO_VERB.match(shorter):
        text = imperative(_SEES.sub("", shorter, count=1)) if shorter != text else text
    return shorten(_BELIEVED.sub("", text, count=1))
