"""Questions as people type them, put into the words that are read: short forms written out, slips of the
keyboard mended, and German, French and Spanish questions said in English."""

import re
from functools import cache
from typing import Final

from rapidfuzz.distance import DamerauLevenshtein

# How it is typed → how it is read. In order.
_SHORT: Final = tuple(
    (re.compile(pattern, re.I), words)
    for pattern, words in (
        (r"[’‘]", "'"),
        (r"\b(who|what|when|where|how|why)(?:'s|s)\b(?!')", r"\1 is"),
        (r"\b(who|what|when|where|how|why)'?re\b", r"\1 are"),
        (r"\b(?:vs?\.?|versus|compared\s+(?:to|with)|against)(?=\s)", "versus"),
        (
            r"\byo[yj]\b|\byear[- ]on[- ]year\b|\byear[- ]over[- ]year\b",
            "growth on the year before",
        ),
        (r"\bexecs?\b", "executives"),
        (r"\bmgmt\b", "management"),
        (r"\bppl\b", "people"),
        (r"\bqtr\b", "quarter"),
        (r"\byrs\b", "years"),
        (r"\bbiz\b", "business"),
        (r"\bmkt\b", "market"),
        (r"\bintl\b", "international"),
        (r"\blatam\b", "Latin America"),
        (r"\bapac\b", "Asia Pacific"),
        (r"\bu\.s\.(?:a\.)?|\busa\b|\bUSA\b", "United States"),
        (r"\b(in|outside|inside|within|from|beyond)\s+(?:the\s+)?us\b", r"\1 the United States"),
        (r"\bbuy(?:ing)?[- ]?backs?\b|\b(?:buy|bought|buying)\s+back\b", "repurchase"),
        (r"\b(?:pull|pulled|pulling)\s+out\s+of\b|\bget\s+out\s+of\b|\bwithdr[ae]wn?\b", "exited"),
        (r"\bsubs\b", "subscribers"),
        (r"\bavg\b\.?", "average"),
        (r"\b(?:hom|hwo|how)\s+(?:many|mny|manny|may)\b", "how many"),
        (r"\bsq\.?\s*(?:ft|feet)\b\.?", "square feet"),
        (r"\bin\s+a\s+row\b", "consecutive"),
        (r"\b(in|outside|inside)\s+the\s+states\b", r"\1 the United States"),
        (r"\b(?-i:US)\b", "United States"),
        (r"\b(?:credit\s+line|line\s+of\s+credit|revolver)\b", "revolving credit"),
        (r"\brevolving\s+revolving\b", "revolving"),
        (
            r"\b(?:operating\s+cash\s+flow|cash\s+flow\s+from\s+operations)\b",
            "cash provided by operating activities",
        ),
        (r"\b(?:postal|mailing)\s+address\b", "address"),
        (r"\b(end|year[- ]end)\s+(?:of\s+)?'?([0-4]\d)\b(?!\s*[%,.]?\d)", r"\1 of 20\2"),
        (r"(?<!\w)'([0-4]\d)\b", r"20\1"),
        (r"\b(?:financial|business|accounting)\s+year\b", "fiscal year"),
        (r"\byear[- ]end\s+of\b", "fiscal year end of"),
        (r"\bpercent(?:age)?\b", "percentage"),
    )
)

# Phrases before words; a phrase of one language is only read where the question is of that language.
_GERMAN: Final = {
    "wie viele": "how many", "wieviele": "how many", "wie viel": "how much", "wieviel": "how much",
    "wie hoch war": "how much was", "wie hoch ist": "how much is", "wie hoch": "how much",
    "wie heißt": "what is", "wie gross": "how big", "wie groß": "how big", "wer": "who",
    "was": "what", "wann": "when", "wo": "where", "warum": "why", "wieso": "why", "welche": "which",
    "welcher": "which", "welches": "which", "welchen": "which", "wem": "whom", "wie": "how",
    "ist": "is", "sind": "are", "war": "was", "waren": "were", "hat": "has", "haben": "have",
    "wird": "is", "werden": "are", "wurde": "was", "wurden": "were", "gibt es": "are there",
    "der": "the", "die": "the", "das": "the", "den": "the", "dem": "the", "des": "of the",
    "ein": "a", "eine": "a", "von": "of", "vom": "of the", "im": "in", "am": "on", "und": "and",
    "oder": "or", "für": "for", "mit": "with", "bei": "at", "aus": "from", "nach": "after",
    "umsatz": "revenue", "umsätze": "revenue", "umsatzerlöse": "revenue", "gewinn": "net income",
    "jahresüberschuss": "net income", "verlust": "net loss", "schulden": "debt", "vermögen": "assets",
    "mitarbeiter": "employees", "mitarbeitende": "employees", "beschäftigte": "employees",
    "angestellte": "employees", "leute": "people", "hauptsitz": "headquarters",
    "firmensitz": "headquarters", "sitzt": "is based", "sitz": "headquarters", "zentrale": "headquarters",
    "adresse": "address", "anschrift": "address", "telefonnummer": "phone number",
    "telefon": "phone number", "webseite": "website", "geschäftsführer": "ceo", "vorstand": "executives",
    "vorstandsvorsitzende": "ceo", "vorstandsvorsitzender": "ceo", "finanzvorstand": "cfo",
    "finanzchef": "cfo", "chef": "ceo", "gründer": "founder", "gegründet": "founded",
    "aufsichtsrat": "board of directors", "wettbewerber": "competitors", "konkurrenten": "competitors",
    "konkurrenz": "competitors", "risiken": "risks", "strategie": "strategy", "ziele": "goals",
    "kunden": "customers", "produkte": "products", "marken": "brands", "stellen": "jobs",
    "offene": "open", "offenen": "open", "jobs": "jobs", "geschäftsjahr": "fiscal year",
    "endet": "ends", "branche": "industry", "tochtergesellschaften": "subsidiaries",
    "standorte": "locations", "filialen": "stores", "läden": "stores", "länder": "countries",
    "ländern": "countries", "verkauft": "sold", "kauft": "buys", "gekauft": "acquired",
    "übernommen": "acquired", "letztes jahr": "last year", "letzten jahr": "last year",
    "vorjahr": "previous year", "dividende": "dividend", "klage": "lawsuit", "klagen": "lawsuits",
    "segmente": "segments", "sparten": "segments", "forschung und entwicklung": "r&d",
}  # fmt: skip
_FRENCH: Final = {
    "combien de": "how many", "combien d'": "how many ", "combien": "how much", "qui": "who",
    "quand": "when", "où": "where", "pourquoi": "why", "quels": "which", "quelles": "which",
    "quel": "what", "quelle": "what", "qu'est-ce que": "what", "comment": "how", "que": "what",
    "est-ce que": "", "est": "is", "sont": "are", "était": "was", "étaient": "were", "a-t-elle": "has",
    "le": "the", "la": "the", "les": "the", "l'": "the ", "du": "of the", "des": "of the",
    "d'": "of ", "de": "of", "en": "in", "au": "at the", "aux": "at the", "et": "and", "un": "a",
    "une": "a", "dans": "in", "pour": "for", "chiffre d'affaires": "revenue", "revenus": "revenue",
    "bénéfice": "net income", "bénéfice net": "net income", "résultat net": "net income",
    "perte nette": "net loss", "dette nette": "net debt", "perte": "net loss", "dette": "debt",
    "employés": "employees",
    "salariés": "employees", "effectif": "headcount", "effectifs": "headcount", "siège": "headquarters",
    "siège social": "headquarters", "adresse": "address", "téléphone": "phone number",
    "numéro": "number", "directeur financier": "chief financial officer",
    "directrice financière": "chief financial officer", "directeur général": "ceo",
    "directrice générale": "ceo", "pdg": "ceo", "patron": "ceo", "dirigeants": "executives",
    "fondateur": "founder", "fondée": "founded", "concurrents": "competitors", "risques": "risks",
    "stratégie": "strategy", "objectifs": "goals", "clients": "customers", "produits": "products",
    "marques": "brands", "emplois": "jobs", "postes": "jobs", "ouverts": "open", "exercice": "fiscal year",
    "secteur": "industry", "filiales": "subsidiaries", "magasins": "stores", "pays": "countries",
    "conseil d'administration": "board of directors", "dividende": "dividend", "procès": "lawsuit",
    "l'année dernière": "last year", "secteurs": "segments", "usines": "factories",
}  # fmt: skip
_SPANISH: Final = {
    "cuántos": "how many", "cuántas": "how many", "cuantos": "how many", "cuantas": "how many",
    "cuánto": "how much", "cuanto": "how much", "quién": "who", "quiénes": "who", "quien": "who",
    "cuándo": "when", "cuando": "when", "dónde": "where", "donde": "where", "por qué": "why",
    "cuál": "what", "cuáles": "what", "cual": "what", "cuales": "what", "qué": "what", "cómo": "how",
    "es": "is", "son": "are", "fue": "was", "fueron": "were", "está": "is", "tiene": "has",
    "tienen": "have", "hay": "are there", "el": "the", "la": "the", "los": "the", "las": "the",
    "del": "of the", "de": "of", "en": "in", "y": "and", "un": "a", "una": "a", "para": "for",
    "ingresos": "revenue", "ventas": "revenue", "facturación": "revenue", "beneficio": "net income",
    "ganancias": "net income", "pérdida": "net loss", "deuda": "debt", "empleados": "employees",
    "trabajadores": "employees", "trabajan": "work", "personas": "people", "sede": "headquarters",
    "dirección": "address", "teléfono": "phone number", "director financiero": "cfo",
    "director ejecutivo": "ceo", "director general": "ceo", "presidente": "chairman",
    "directivos": "executives", "fundador": "founder", "competidores": "competitors",
    "riesgos": "risks", "estrategia": "strategy", "objetivos": "goals", "clientes": "customers",
    "productos": "products", "marcas": "brands", "empleos": "jobs", "vacantes": "jobs",
    "puestos": "jobs", "abiertos": "open", "año fiscal": "fiscal year", "termina": "ends",
    "sector": "industry", "filiales": "subsidiaries", "tiendas": "stores", "países": "countries",
    "dividendo": "dividend", "demanda": "lawsuit", "el año pasado": "last year", "año": "year",
    "segmentos": "segments", "principales": "main", "fábricas": "factories",
}  # fmt: skip
_LANGUAGES: Final = (_GERMAN, _FRENCH, _SPANISH)
_ENGLISH: Final = frozenset(
    "who what when where why how which is are was were the of does do did has have many much in and any"
    " their its they it a to for on by me about".split()
)
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*'?")

# Words that a slip of the keyboard is read as. Others are left as they are typed.
_KNOWN: Final = (
    "acquired acquisition acquisitions address assets auditor backlog based board budget business"
    " chairman chief company compete competition competitor competitors controller countries customer"
    " customers debt director directors dividend dividends employees employed executive executives"
    " exchange expenses financial fiscal founded founder goals gross headcount headquarters headquartered"
    " happened happens hiring income"
    " industry investment jobs latest lawsuit lawsuits layoffs leadership loans location"
    " locations management margin market network offices officer operating partners people percentage"
    " phone positions president priorities products profit profitable quarter quarterly regions research"
    " restructuring revenue revenues risks salary sales segments services shareholder shareholders shares"
    " spending stores strategy subsidiaries suppliers technologies technology ticker treasurer vacancies"
    " website workforce"
).split()  # fmt: skip
_SHORTEST_SLIP: Final = 5


def written_out(text: str) -> str:
    """The text with short forms written out."""
    for pattern, words in _SHORT:
        text = pattern.sub(words, text)
    return " ".join(text.split())


def in_english(text: str) -> str:
    """A German, French or Spanish question in English, word by word; other texts as they are."""
    words = [word.lower() for word in _WORD.findall(text)]
    english = sum(word in _ENGLISH for word in words)
    best = max(_LANGUAGES, key=lambda one: _share(words, one))
    foreign = _share(words, best)
    if foreign <= english or (len(words) > 3 and foreign < 0.3 * len(words)):
        return text
    return " ".join(
        _pattern(_LANGUAGES.index(best)).sub(lambda m: best[m[0].lower()], text).split()
    )


def _share(words: list[str], language: dict[str, str]) -> int:
    return sum(
        word in language or word.split("'")[0] + "'" in language
        for word in words
        if word not in _ENGLISH or language.get(word) not in (None, word)
    )


@cache
def _pattern(index: int) -> re.Pattern[str]:
    """The phrases of a language, longest first."""
    phrases = sorted(_LANGUAGES[index], key=len, reverse=True)
    ends = [re.escape(phrase) + ("" if phrase[-1] == "'" else r"(?!\w)") for phrase in phrases]
    return re.compile(rf"(?<![\w'])(?:{'|'.join(ends)})|(?<=['])(?!)", re.I)


def mended(text: str) -> str:
    """The text with likely slips of the keyboard mended; the same text when there are none."""
    return _WORD.sub(lambda found: _mended(found[0]), text)


def _mended(word: str) -> str:
    low = word.lower()
    if len(low) < _SHORTEST_SLIP or low in _KNOWN:
        return word
    most = 1 if len(low) < 9 else 2
    near = [
        (distance, known)
        for known in _KNOWN
        if known[0] == low[0]
        and (distance := DamerauLevenshtein.distance(low, known, score_cutoff=most)) <= most
    ]
    return min(near)[1] if near else word
