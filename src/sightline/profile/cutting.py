"""Shortening a text to a name: where it may be left off so that the rest still says the same."""

import re
from typing import Final

from sightline.profile.sentences import spaced

LONGEST_NAME: Final = 80
_SHORTEST_CUT: Final = 18
_SHORTEST_OF_LIST: Final = 35
_SHORTEST_OF_FURTHER: Final = 26

# Before these words a clause may be left off without changing what the words before it say.
_CLAUSE_WORDS: Final = (
    r"(?:which|who|whose|because|when|where|while|whereas|if|due to|resulting|including"
    r"|in order to|as well as|such as|particularly|especially|whether|so that|unless|until|since"
    r"|although|though|after|before|compared (?:to|with)|as compared|depending on|as we"
    r"|as a result"
    r"|as part of|to the extent|with the (?:goal|aim)"
    r"|and (?:on|by|through|for|from|with|in|may|could|can|any|our|we|the|if"
    r"|adversely|harm|negatively|materially"
    r"|result|cause|impact|affect|thereby|therefore|to|is|are|has|have|will|offers?|expects?|intends?"
    r"|continues?|helps?|enables?|allows?|provides?|reduces|increases|improves)"
    r"|or (?:may|could|if|our|we|the|otherwise)|(?:that|which) (?:may|could|might|would|will|can"
    r"|have|has|had)|but"
    r"|weil|wenn|sodass|sowie|indem|damit|qui|afin|ainsi que|parce|lorsque|tout en|para que"
    r"|así como"
    r"|porque|cuando|mientras)\b"
)
_CLAUSE = re.compile(
    rf"(?:,|;)?\s(?={_CLAUSE_WORDS})|[,;:]\s(?!(?:dass|daß|ob|que|zu)\b|\d{4})|\s?[–—]\s?"
)
_COMMA = re.compile(r",\s(?!(?:dass|daß|ob|que|zu|Inc|Ltd|LLC|\d)\b)")
_CLAUSE_WORD = re.compile(rf"(?:,|;)?\s{_CLAUSE_WORDS}")
_PURPOSE = re.compile(
    r"\s(?=to (?:help|enable|ensure|support|better|further|meet|provide|deliver|improve|create"
    r"|drive"
    r"|reduce|increase|make|accelerate|address|serve|achieve|enhance|strengthen|offer|give)\b)"
)
# "tools designed to", "areas focused on": what only tells more of a thing.
_MODIFIER = re.compile(
    r"\s(?=(?:focused|designed|aimed|intended|using|involving|resulting"
    r"|needed|used|made|defined|manufactured|provided|offered|produced|developed|built|including)"
    r" (?:on|to|for|with|in|by|from|at|through)\b"
    r"|(?:allowing|enabling|giving|helping|covering|relating to|related to|as (?:an?|the)) )"
)
# "a model to market our products", "habits that we developed": what only tells more, whatever it is.
_FURTHER = re.compile(
    r"\s(?=to [a-z]+ (?!by\b)|that (?:we|our|they|it|its|is|are|was|were|has|have|had|allows?"
    r"|enables?|assists?|helps?|provides?|includes?|satisf(?:y|ies)|meets?|appeals?|contains?|address(?:es)?"
    r"|incorporates?|supports?|serves?|gives?|build|builds|compl(?:y|ies))\b)"
)
_THAT_IS_SAID = re.compile(
    r"\b(?:believ|ensur|expect|know|show|mean|say|claim|find|require|assum|recogni[sz]|confirm|agree"
    r"|assert|determin|conclud|demonstrat|so|such|likely|possible|given|fact|extent)\w*$",
    re.I,
)
_PHRASE = re.compile(
    r"\s(?!\w+ (?:which|whom|the extent)\b)(?=(?:for|from|with|on|in|at|among|between|under"
    r"|through|across|over|during|within"
    r"|throughout|via|by|für|mit|bei|durch|pour|avec|dans|por|con|mediante)\b(?!-))"
)
_FINITE = re.compile(
    r"\b(?:could|may|might|will|would|can|must|is|are|has|have|was|were|do|does|face|rely|depend"
    r"|expose|use|offer|provide|operate|sell|serve|plan|intend|expect)s?\b",
    re.I,
)
# ", brand image and culture": the rest of an enumeration.
_LISTED = re.compile(r"^,\s(?:[\w’'&-]+\s?){1,4}(?:,|\s(?:and|or|und|oder|et|ou|y|o)\b)")
# The rest of a number: "1,000", "Inc., U.S.", and what a word such as "while" stands before.
_HANGS = re.compile(
    r"(?:\b(?:have|has|had|is|are|was|were|be|been|being|will|may|can|could|not|to|more|most|our"
    r"|their"
    r"|its|and|or|of|in|on|at|for|with|by|from|a|an|the|that|which|who|where|when|into|under|through|about|between|than|as|both|own|us|them"
    r"|der|die|das|den|dem|ein\w*|und|von|zu|für|mit|le|la|les|des?|du|un\w*|et|à|el|los|las"
    r"|del?|y)"
    r"|\b(?:have|has|had|been) (?:\w+ )?\w+ed|\bby [a-z]+ing|\b(?:to|that) [a-z]+|,\s\w+|, and \w+"
    r"|\bin (?:areas|ways|fields|markets|countries|\d{4}|fiscal \d{4})"
    r"|\b(?:Inc|Corp|Ltd|Co|U\.S|No|Mr|Ms|Dr))\.?$",
    re.I,
)
# What asks for the words after it: participles, verbs and adjectives …
_ASKS = re.compile(
    r"(?:\w+ed|\b(?:built|made|driven|given|grown|known|seen|found|held|sold|drawn|set|subject"
    r"|able"
    r"|unable|likely|prior|based|due|rel(?:y|ies|ying)|depend(?:s|ent|ing)?|rang(?:e|es|ing)"
    r"|consists?"
    r"|results?|compet(?:e|es|ing)|engag(?:e|es|ing)|participat(?:e|es|ing)|operat(?:e|es|ing)"
    r"|expand(?:s|ing)?|grow(?:s|ing)?|account(?:s|ed)?|look(?:s|ing)?|work(?:s|ing)?"
    r"|partner(?:s|ing)?"
    r"|collaborat(?:e|es|ing)|respond(?:s|ing)?|shift(?:s|ing)?|concentrat(?:e|es|ing)"
    r"|differ(?:s|ent)?"
    r"|suffers?|focus(?:es|ing)?|invest(?:s|ing)?|available|responsible|essential|critical"
    r"|important"
    r"|connection|accordance|conjunction|response|regard|applicable|attributable|specific|unique|pertaining"
    r"|comes?|came|goes|went|relevant|involving|further|lead(?:s|ing)?|deliver(?:s|ing)?|provid(?:e|es|ing)|continu(?:e|es|ing)|majority"
    r"|portion"
    r"|approximately|about|over|than|access|respect|number|ability|inability|lack|part))$",
    re.I,
)
# … and what relates to something, if anything else can be left off.
_RELATES = re.compile(
    r"\b(?:opportunit(?:y|ies)|commitment|need|demand|reliance|dependence|impact|effect|focus"
    r"|investments?|increases?|decreases?|growth|decline|changes?|reductions?|improvements?"
    r"|trends?"
    r"|advances?|competition|benefits?|failure|interests?|leader(?:s|ship)?|percentage|amount"
    r"|level"
    r"|variety)$",
    re.I,
)
# "enabling companies to connect": here "to" is no purpose of what is said before.
_LETS = re.compile(
    r"\b(?:enabl|allow|help|requir|permit|encourag|caus|expect|want|empower|ask|direct|use"
    r"|continue"
    r"|need|able|design|intend|plan|seek|look|aim|work|commit|opportunit|abilit|effort|way|right"
    r"|fail"
    r"|inabilit|decision|agree)\w*(?:\s[\w’'-]+){0,7}$",
    re.I,
)
# "the ability to", "failed to": without what follows it is nothing; more words between are an object.
_WAITS = re.compile(
    r"\b(?:(?:enabl|allow|help|requir|permit|encourag|caus|expect|want|empower|ask)\w*(?:\s[\w’'-]+){0,9}"
    r"|(?:continue|need|able|difficult|easy|hard|impossible|important|intend|plan|seek|look|aim|commit|opportunit|abilit|effort|way|right|fail|inabilit|decision|agree"
    r"|manage|begin|began|start|try|tend|like|unlik|subject|pursuant|relat|due|access|according)\w*)$",
    re.I,
)
# "Expect most investments": what is expected of them is still to come.
_EXPECTS = re.compile(r"(?:expect|anticipate|believe|project)s? ", re.I)
_EXPECTED = re.compile(
    r"\b(?:to|will|that|growth|increases?|decreases?|revenues?|competition)\b", re.I
)
# "a consultative, value-added strategy": the thing itself is still to come.
_ADJECTIVE = re.compile(r"\ban? (?:\w+ly )?[\w-]+$")
# "We are making significant, long-term investments", "derive most of our revenue from …".
_BARE_ADJECTIVE = re.compile(
    r"(?<!is )(?<!are )(?<!be )\b(?:significant|substantial|new|global|long-term|large|major|key"
    r"|multiple|various|additional|innovative)$",
    re.I,
)
_FROM_WHAT = re.compile(
    r"\b(?:derive|generate|earn|receive)s? (?:an? |the )?(?:[\w-]+ ){0,5}?(?:revenues?|sales|income)$",
    re.I,
)
_NEXT_ADJECTIVE = re.compile(
    r",\s(?!(?:and|which|who|or|but|with|in|on|to|for|from|as|while|where|including|such|the|an?|our"
    r"|its|we|particularly|especially)\b)[a-z]"
)
# "Invest in automation and seek to …": one thing to do of several.
_BASE = re.compile(
    r"(?:accelerat|achiev|acquir|adapt|add|address|adopt|advanc|anticipat|attract|build|capitali[sz]|captur|chang|combin"
    r"|compet|complet|comply|continu|creat|deepen|deliver|deploy|design|develop|diversif|driv"
    r"|consolidat|enabl|enforc|enhanc|ensur|enter|execut|expand|estimat|extend|fail|financ|focus|generat|grow|hir|identif"
    r"|implement|improv|increas|innovat|integrat|introduc|invest|keep|launch|lead|leverag|maintain"
    r"|mak|manag|market|meet|moderni[sz]|obtain|offer|open|operat|optimi[sz]|perform|predict|prevent|pric|protect|provid|pursu|rais|reach"
    r"|reali[sz]|recruit|reduc|remain|renew|replac|respond|retain|scal|secur|seek|sell|serv|simplif"
    r"|strengthen|support|sustain|train|transform|unlock|upgrad|us|utiliz|win|work)(?:e|y)?(?=\s|$)",
    re.I,
)
_GERUND = re.compile(r"\w+ing\b", re.I)
_INFINITIVE = re.compile(
    r"^(?:(?:possible )?(?:failure|inability|need|ability|continue)) to |\b(?:will|can) [a-z]+\b",
    re.I,
)
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been) (?:\w+ )?\w+ed\b", re.I)
# "our existing and growing customers": what comes before and after has one noun.
_NO_OBJECT = re.compile(r"\b(?:new|existing|current|growing|\w+ly|the \w+|better|both)$", re.I)
_NO_VERB = re.compile(
    r"(?:existing|emerging|growing|changing|evolving|leading|remaining|competing|underlying|operating"
    r"|marketing|engineering|manufacturing|training|pricing|advertising|financing|reporting)",
    re.I,
)
# "is highly competitive, rapidly evolving and …": each of these says something.
_ENDS_IN_ADJECTIVE = re.compile(
    r"\b(?:is|are|was|were|be|becomes?|remains?) (?:[\w-]+ ){0,2}?[\w-]+(?:ive|ing|ous|ful|ex|ant|ent|ile|ic"
    r"|al|able|ible)$",
    re.I,
)
_SECOND_CLAUSE = re.compile(
    r"^,\s(?:and|but|or)\s(?:[\w’'-]+ ){1,7}?(?:is|are|was|were|has|have|had|will|may|can|could|might"
    r"|would|must|continues?|expects?|remains?|include|includes)\b",
    re.I,
)
_COORDINATED = re.compile(r",?\s(?:and|or)\s(?:also )?(?:\w+ly )?(?P<verb>[a-z]+)\b")
# What can be spared, least first: how, which, and all but the ends of an enumeration.
_SPARE: Final = tuple(
    (re.compile(pattern, re.I), instead)
    for pattern, instead in (
        (
            r"\b(?:(?:cost-)?effectively|successfully|adequately|properly|heavily|fully|quickly"
            r"|(?<!\band )(?<!\bor )timely"
            r"|significantly|continually|historically|primarily|routinely|collectively|generally"
            r"|materially|substantially|further|appropriately) ",
            "",
        ),
        (
            r" (?:in|on|with|for) which (?:we|the company|our \w+) (?:\w+ ){0,2}?(?:compete|operate|work"
            r"|sell|do business|participate|rely|depend)s?\b",
            "",
        ),
        (r"\bthe overall level of ", ""),
        (
            r"(?<=\w )(?<!\bto )(?<!y of )(?<!e of )(?<!l of )(?<!st of )"
            r"(?:our|its|the company[’']s) (?!own\b)",
            "",
        ),
        (
            r"(?<![,\d]) ?(?P<first>\b[\w’'-]+),"
            r" (?:(?!(?:our|the|its|we|an?) )[\w’'-]+(?: [\w’'-]+)?, )*"
            r"(?!(?:our|the|its|we|an?) )[\w’'-]+(?: [\w’'-]+)?,?"
            r" (?P<last>(?:and|or) )",
            r" \g<first> \g<last>",
        ),
    )
)
_CONDITION = re.compile(r"(?:if|wenn|falls|si)\s", re.I)
_TAIL = re.compile(
    r"[\s,;:–—-]+(?:a|an|the|and|or|but|of|in|on|at|to|for|from|by|with|as|that|which|who|our|its"
    r"|their|is"
    r"|are|was|were|we|may|could|including|such|this|these|both|into|through|any|have|has|be|primarily"
    r"|mainly"
    r"|und|oder|der|die|das|et|ou|de|y|o)?$",
    re.I,
)


def cut_to(text: str, most: int = LONGEST_NAME, *, lists: bool = False) -> str | None:
    """A text up to the end of a clause, else of a phrase: at most `most` characters; None when it
    has no such place. `lists` lets it end after the first item of an enumeration."""
    text = spaced(text).strip(" .:;–—-")
    if len(text) <= most:
        return text
    if _CONDITION.match(text):  # half a condition says something else
        return None
    for boundary, may_relate in (
        (_CLAUSE, True),
        (_COORDINATED, True),
        (_PURPOSE, True),
        (_MODIFIER, True),
        (_PHRASE, False),
        (_FURTHER, True),
        (_PHRASE, True),
        (_COMMA, True),
    ):
        ends = [f for f in boundary.finditer(text) if f.start() <= most]
        # Of an enumeration the first item names it; else what is longest says most.
        for end in ends if lists and boundary is _COMMA else reversed(ends):
            head = text[: end.start()].rstrip(" ,;:")
            if not may_relate and _RELATES.search(head):
                continue
            if _is_whole(head, text[end.start() :], boundary, lists=lists):
                return _without_tail(head)
    return None


def compressed(text: str) -> str:
    """A text without adverbs of manner, clauses that tell which, and the middle of enumerations."""
    for pattern, instead in _SPARE:
        text = pattern.sub(instead, text)
    return spaced(text)


def cut_off(text: str, most: int = LONGEST_NAME) -> str:
    """A text up to the end of a word, with a mark that tells so: for what has no better end."""
    return _without_tail(_without_tail(text[: most - 1].rsplit(" ", 1)[0])) + "…"


def _is_whole(head: str, rest: str, boundary: re.Pattern[str], *, lists: bool) -> bool:
    """Whether the head is a clause of its own, not half an enumeration or a verb alone."""
    if len(head) < _SHORTEST_CUT or _HANGS.search(head) or head.count("(") > head.count(")"):
        return False
    if _EXPECTS.match(head) and not _EXPECTED.search(head):
        return False
    if head.count("“") > head.count("”") or head.count('"') % 2:
        return False
    if _ADJECTIVE.search(head) and _NEXT_ADJECTIVE.match(rest):
        return False
    if _BARE_ADJECTIVE.search(head) or _FROM_WHAT.search(head):
        return False
    if boundary is _PURPOSE:
        return not _LETS.search(head) and not _ASKS.search(head)
    if boundary is _FURTHER and len(head) < _SHORTEST_OF_FURTHER:
        return False
    if boundary is _FURTHER:
        verb_waits = _THAT_IS_SAID if rest.lstrip().startswith("that") else _WAITS
        return not verb_waits.search(head) and not _ASKS.search(head)
    listed = _LISTED.match(rest) is not None
    if boundary is _COMMA:
        return len(head) >= _SHORTEST_OF_LIST and (lists or not listed)
    if boundary is _PHRASE:
        return not _ASKS.search(head)
    if boundary is _COORDINATED:
        return _same_form(head, rest)
    if _CLAUSE_WORD.match(rest) is not None or not listed:
        return True
    return _FINITE.search(head) is not None and bool(
        lists or _ENDS_IN_ADJECTIVE.search(head) or _SECOND_CLAUSE.match(rest)
    )


def _same_form(head: str, rest: str) -> bool:
    """Whether what follows "and" is a verb in the form of the head's: "Ramping … and increasing"."""
    follows = _COORDINATED.match(rest)
    last = head.rsplit(" ", 1)[-1]
    if follows is None or _BASE.fullmatch(last) or _NO_OBJECT.search(head):
        return False
    verb = follows["verb"]
    if verb.endswith("ing"):
        return _GERUND.match(head) is not None and not _NO_VERB.fullmatch(verb)
    if verb.endswith("ed"):
        return _PASSIVE.search(head) is not None
    return _BASE.fullmatch(verb) is not None and (
        _BASE.match(head) is not None or _INFINITIVE.search(head) is not None
    )


def _without_tail(text: str) -> str:
    for _ in range(4):
        shorter = _TAIL.sub("", text)
        if shorter == text:
            break
        text = shorter
    if text.count("(") > text.count(")"):
        text = text.rpartition("(")[0].rstrip(" ,;")
    return text.strip(" ,;:–—-")
