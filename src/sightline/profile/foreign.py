"""Cues for sites and feeds in German, French and Spanish; `§` stands for the company's own name.

What a section says of a sentence in English is in the section; here is the same for the languages
in which European companies write of themselves.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from sightline.profile.judging import is_broken
from sightline.profile.sentences import Sentence

Rows = tuple[tuple[str, float], ...]

# Subjects.
_DE: Final = r"(?:wir|§|das unternehmen|der konzern|die gruppe)"
_FR: Final = r"(?:nous|§|l[’']entreprise|la société|le groupe)"
_ES: Final = r"(?:nosotros|§|la empresa|la compañía|el grupo)"
# What is done for growth, as it ends a German clause, and as it follows a verb of will elsewhere.
_DE_DO: Final = (
    r"(?:(?:aus|auf|ab)(?:zu)?bauen|(?:zu )?(?:erweitern|investieren|stärken|erschließen"
    r"|beschleunigen"
    r"|steigern|wachsen|expandieren|eröffnen|modernisieren|verdoppeln|verdreifachen|senken"
    r"|verbessern"
    r"|konzentrieren|fokussieren|reduzieren|erreichen|gewinnen|automatisieren|digitalisieren"
    r"|entwickeln"
    r"|produzieren|errichten|werden)|weiter(?:zu)?entwickeln|vor(?:an)?(?:zu)?treiben"
    r"|ein(?:zu)?führen"
    r"|um(?:zu)?stellen)"
)
_DE_WILL: Final = (
    r"(?:planen|plant|wollen|will|werden|wird|möchten|möchte|beabsichtigen|beabsichtigt)"
)
_FR_DO: Final = (
    r"(?:développer|élargir|étendre|investir|renforcer|accélérer|augmenter|doubler|tripler|ouvrir"
    r"|moderniser|réduire|améliorer|conquérir|déployer|lancer|poursuivre|atteindre|devenir"
    r"|automatiser"
    r"|numériser|construire|diversifier|passer|produire|équiper)"
)
_FR_WILL: Final = (
    r"(?:(?:avons|a) (?:pour (?:objectif|ambition)|l[’']intention) (?:de |d[’'])"
    r"|(?:allons|va|voulons|veut|souhaitons|souhaite|prévoyons de|prévoit de|comptons|compte) )"
)
_ES_DO: Final = (
    r"(?:ampliar|invertir|reforzar|acelerar|aumentar|duplicar|triplicar|abrir|modernizar|reducir"
    r"|mejorar"
    r"|expandir\w*|crecer|desarrollar|lanzar|alcanzar|liderar|automatizar|digitalizar|construir"
    r"|diversificar|implantar|convertir\w*|llegar|producir|incorporar|fortalecer|impulsar)"
)
_ES_WILL: Final = (
    r"(?:(?:planeamos|planea|queremos|quiere|prevemos|prevé|pretendemos|pretende|buscamos|busca"
    r"|esperamos|espera) |(?:vamos|va) a |tenemos (?:previsto|el objetivo de) )"
)

STRATEGY: Final[Mapping[str, Rows]] = {
    "de": (
        (rf"(?<!\w){_DE} {_DE_WILL} (?P<what>.*\b{_DE_DO}\b.*)", 1.5),
        (rf"\b{_DE_WILL} {_DE} (?P<what>.*\b{_DE_DO}\b.*)", 1.5),
        (
            r"\bunser\w* (?:\w+ )?(?:strategie|schwerpunkte?|fokus|prioritäten?|mission|vision) "
            r"(?:ist|sind|liegt|liegen|besteht|lautet)(?: es| darin| auf| bei)?,? (?P<what>.+)",
            1.5,
        ),
        (
            rf"(?<!\w)(?:{_DE} (?P<what>(?:investieren|investiert|setzen|setzt) (?:\w+ )?(?:in"
            rf"|auf) .+))",
            1.3,
        ),
        (r"\bkonzentrieren (?:wir )?uns (?:\w+ )?auf (?P<what>.+)", 1.3),
        (
            r"\b(?:wachstums|unternehmens|konzern)strategie|\bstrategische\w* (?:ziel|schwerpunkt"
            r"|initiativ)",
            1.2,
        ),
    ),
    "fr": (
        (rf"(?<!\w){_FR} {_FR_WILL}(?P<what>{_FR_DO}\b.+)", 1.5),
        (
            r"\b(?:notre|nos) (?:\w+ )?(?:stratégie|priorités?|ambition|mission|vision)"
            r" (?:est|sont|consiste|reste)(?: de| d[’']| à)? ?(?P<what>.+)",
            1.5,
        ),
        (
            rf"(?<!\w){_FR} (?P<what>(?:investissons|investit|misons|mise) (?:\w+ )?(?:dans|sur"
            rf"|en) .+)",
            1.3,
        ),
        (r"\bnous concentrons (?:\w+ )?sur (?P<what>.+)", 1.3),
        (
            r"\b(?:plan stratégique|stratégie de (?:croissance|développement)"
            r"|axes? stratégiques?)",
            1.2,
        ),
    ),
    "es": (
        (rf"\b{_ES_WILL}(?:\w+ )?(?P<what>{_ES_DO}\b.+)", 1.5),
        (
            r"\b(?:nuestra|nuestro|nuestras) (?:\w+ )?(?:estrategia|prioridad(?:es)?|misión"
            r"|visión)"
            r" (?:es|son|consiste en|pasa por) (?P<what>.+)",
            1.5,
        ),
        (r"\b(?P<what>(?:invertimos|invierte|apostamos|apuesta) (?:\w+ )?(?:en|por) .+)", 1.3),
        (r"\bnos (?:centramos|enfocamos|concentramos) (?:\w+ )?en (?P<what>.+)", 1.3),
        (r"\b(?:plan estratégico|estrategia de (?:crecimiento|expansión))", 1.2),
    ),
}
GOALS: Final[Mapping[str, Rows]] = {
    "de": (
        (rf"(?<!\w)(?:{_DE} {_DE_WILL}|{_DE_WILL} {_DE}) (?P<what>.+)", 1.4),
        (r"\b(?:unser\w* )?ziel\w* (?:ist|lautet|sind)(?: es)?[,:]? (?P<what>.+)", 1.5),
        (r"\bziele?\b", 1.0),
    ),
    "fr": (
        (rf"(?<!\w){_FR} {_FR_WILL}(?P<what>.+)", 1.4),
        (r"\bobjectifs? (?:est|sont|:)(?: de| d[’'])? ?(?P<what>.+)", 1.5),
        (r"\b(?:objectifs?|ambition|s[’']engage|engageons)\b", 1.0),
    ),
    "es": (
        (rf"\b{_ES_WILL}(?P<what>.+)", 1.4),
        (r"\b(?:objetivo|meta)s? (?:es|son) (?P<what>.+)", 1.5),
        (r"\b(?:objetivo|meta|compromiso)s?\b|\bnos comprometemos\b", 1.0),
    ),
}
DIGITAL: Final[Mapping[str, Rows]] = {
    "de": (
        *STRATEGY["de"][:2],
        (
            rf"(?<!\w){_DE} (?P<what>(?:setzen|setzt|investieren|investiert|nutzen|nutzt"
            rf"|digitalisier\w+"
            r"|automatisier\w+|führen|führt|entwickeln|entwickelt|modernisier\w+|vernetz\w+) .+)",
            1.3,
        ),
        (r"\bdigital(?:strategie|isierung)|\bdigitale\w* transformation", 1.2),
    ),
    "fr": (
        *STRATEGY["fr"][:1],
        (
            rf"(?<!\w){_FR} (?P<what>(?:investissons|investit|utilisons|utilise|déployons"
            rf"|déploie|développons"
            r"|développe|automatisons|automatise|misons|mise|intégrons|intègre|modernisons"
            r"|modernise) .+)",
            1.3,
        ),
        (r"\b(?:transformation|stratégie) (?:numérique|digitale)", 1.2),
    ),
    "es": (
        *STRATEGY["es"][:1],
        (
            r"\b(?P<what>(?:invertimos|invierte|utilizamos|utiliza|usamos|desplegamos|despliega"
            r"|desarrollamos|desarrolla|automatizamos|automatiza|integramos|integra|digitalizamos"
            r"|apostamos|apuesta) .+)",
            1.3,
        ),
        (r"\b(?:transformación|estrategia) digital", 1.2),
    ),
}
MONEY: Final[Mapping[str, Rows]] = {
    "de": (
        (r"\bumsatz\w*\b.{0,80}\b(?:erziel|erwirtschaft|entf[aä]ll|stamm|generier|mach)", 1.7),
        (rf"(?<!\w){_DE} (?:\w+ )?(?:erziel|erwirtschaft|verdien)\w+", 1.6),
        (
            rf"(?<!\w){_DE} (?P<what>(?:verkauf|vertreib|liefer|vermiet|biet|lizenzier|produzier"
            rf"|fertig)\w+ .+)",
            1.2,
        ),
        (
            r"\b(?:abonnements?|lizenz(?:en|gebühr\w*)|provision\w*|pro (?:monat|nutzer|jahr)"
            r"|monatlich\w*)\b",
            1.2,
        ),
    ),
    "fr": (
        (
            r"\b(?:chiffre d[’']affaires|revenus?|recettes)\b.{0,80}\b(?:provien|réalis|génér|repos"
            r"|représent)",
            1.7,
        ),
        (
            rf"(?<!\w){_FR} (?:vous )?(?P<what>(?:vend|lou|distribu|commercialis|propos|factur"
            rf"|fabriqu|produi|livr|conç)\w+ .+)",
            1.2,
        ),
        (
            r"\b(?:abonnements?|licences?|commissions?|par (?:mois|an|utilisateur)"
            r"|forfaits?)\b",
            1.2,
        ),
    ),
    "es": (
        (
            r"\b(?:ingresos|facturación|ventas)\b.{0,80}\b(?:proced|provien|gener|obten|represent"
            r"|deriv)",
            1.7,
        ),
        (
            r"\b(?P<what>(?:vendemos|vende|alquilamos|alquila|distribuimos|distribuye"
            r"|comercializ\w+|ofrec\w+"
            r"|fabric\w+|produc(?:imos|e)|suministr\w+) .+)",
            1.2,
        ),
        (r"\b(?:suscripci\w+|licencias?|comisi\w+|al mes|por (?:usuario|mes)|cuotas?)\b", 1.2),
    ),
}
INDUSTRY: Final[Mapping[str, Rows]] = {
    "de": (
        (
            r"\b(?:markt|märkte|branche|industrie|nachfrage|sektor)\b.{0,60}\b(?:ist|sind|wächst"
            r"|wachsen"
            r"|steigt|steigen|sinkt|verändert|wird|werden|bleibt|nimmt|steht|erlebt|fordert)\b",
            1.3,
        ),
        (
            r"\b(?:nachfrage nach|fachkräftemangel|marktvolumen|energiewende|regulierung"
            r"|verordnung)\b",
            1.1,
        ),
    ),
    "fr": (
        (
            r"\b(?:marché|secteur|industrie|demande|concurrence|filière)s?\b.{0,60}\b(?:est|sont"
            r"|croît|augmente"
            r"|évolue|connaît|devient|reste|progresse|recule|exige)\b",
            1.3,
        ),
        (
            r"\b(?:demande (?:de|d[’']|croissante)|pénurie|réglementation|transition (?:énergétique"
            r"|écologique))",
            1.1,
        ),
    ),
    "es": (
        (
            r"\b(?:mercado|sector|industria|demanda|competencia)s?\b.{0,60}\b(?:es|son|crece"
            r"|aumenta|evoluciona"
            r"|cambia|exige|sigue|está|vive|atraviesa)\b",
            1.3,
        ),
        (r"\b(?:demanda de|escasez|normativa|regulación|transición energética)\b", 1.1),
    ),
}
STRENGTH: Final[Mapping[str, Rows]] = {
    "de": (
        (
            r"\b(?:weltmarktführer\w*|marktführer\w*|führende\w*|größte\w*|einzige\w*"
            r"|nummer eins)\b",
            1.4,
        ),
        (
            r"\b(?:patentiert\w*|ausgezeichnet\w*|langjährige\w* erfahrung|jahr(?:en"
            r"|zehnten?) erfahrung)\b",
            1.1,
        ),
    ),
    "fr": (
        (
            r"\b(?:leader|chef de file|numéro un|le plus grand|premi(?:er|ère) (?:fabricant|acteur"
            r"|réseau))\b",
            1.4,
        ),
        (r"\b(?:brevet\w*|primé\w*|ans d[’']expérience|savoir-faire (?:unique|reconnu))\b", 1.1),
    ),
    "es": (
        (
            r"\b(?:líder(?:es)?|número uno|mayor (?:fabricante|red|grupo)|únic[ao]s? en"
            r"|referente)\b",
            1.4,
        ),
        (r"\b(?:patentad\w+|premiad\w+|años de experiencia)\b", 1.1),
    ),
}
OPPORTUNITY: Final[Mapping[str, Rows]] = {
    "de": (
        (
            r"\b(?:wachstumschanc\w+|wachstumspotenzial\w*|wachsende\w* (?:markt|märkte"
            r"|nachfrage))\b",
            1.4,
        ),
        (r"\b(?:neue\w* märkte|steigende\w* nachfrage)\b", 1.2),
    ),
    "fr": (
        (
            r"\b(?:opportunités? de (?:croissance|développement|marché)"
            r"|potentiel de croissance)\b",
            1.4,
        ),
        (r"\b(?:nouveaux marchés|demande croissante|marché en (?:pleine )?croissance)\b", 1.2),
    ),
    "es": (
        (
            r"\b(?:oportunidad(?:es)? de (?:crecimiento|mercado|negocio)"
            r"|potencial de crecimiento)\b",
            1.4,
        ),
        (r"\b(?:nuevos mercados|demanda creciente|mercado en (?:pleno )?crecimiento)\b", 1.2),
    ),
}

_TOPIC: Final = re.compile(
    r"\b(?:KI|IA|IoT|SaaS|ERP|Cloud\w*|e-?commerce|software|apps?|online-?shop|digital\w*|robot\w*"
    r"|künstliche\w* intelligenz|maschinelle\w* lernen|automatisier\w*|daten(?:analyse\w*"
    r"|plattform\w*)"
    r"|vernetz\w*|industrie 4\.0|cyber\w*|intelligence artificielle|apprentissage automatique"
    r"|numéri\w*"
    r"|automatis\w*|plateforme|données|inteligencia artificial|aprendizaje automático|automatiz\w*"
    r"|plataforma|datos|nube|tienda (?:online|en línea)|boutique en ligne)\b",
    re.I,
)
_AHEAD: Final = re.compile(
    r"\b(?:bis(?: zum)?(?: jahr)?(?: ende| spätestens)?|ab|im jahr|ende|d[’']ici(?: à)?(?: fin"
    r"| l[’']an)?|en|avant"
    r"|fin|horizon|hasta|antes de(?:l año)?|para(?: el| finales de)?(?: año)?) (20[2-9]\d)\b"
    r"|\b(?:in den (?:nächsten|kommenden)|dans les|dans les prochain\w+"
    r"|en los próximos) \w+ (?:jahren|ans|années|años)\b",
    re.I,
)
_REGULATED = re.compile(
    r"\b(?:steuer\w*|gericht\w*|haftung|widerruf\w*|impôts?|tribunal|responsabilité|impuestos?"
    r"|aktie\w*|dividende\w*)\b",
    re.I,
)

_PERSONAL = re.compile(r"\b(?:ich|mir|mich|dir|dich|je|j[’']ai|moi|tu|yo|me|mí)\b|\?$", re.I)


def about_technology(text: str) -> bool:
    """Whether a text in any of these languages names a digital technology."""
    return _TOPIC.search(text) is not None


def lies_ahead(text: str, year: int) -> bool:
    """Whether a text names a time to come, not before `year`."""
    found = list(_AHEAD.finditer(text))
    years = [int(each[1]) for each in found if each[1]]
    return bool(found) and (not years or max(years) >= year)


def speaks_or(
    english: Callable[[Sentence], bool],
    also: Callable[[Sentence], bool] = lambda _: True,
) -> Callable[[Sentence], bool]:
    """What accepts a sentence: the section's own rule in English, `also` in the other languages."""

    def accept(sentence: Sentence) -> bool:
        if sentence.document.language == "en":
            return english(sentence)
        text = sentence.text
        told = is_broken(text) or _REGULATED.search(text) or _PERSONAL.search(text)
        return not told and also(sentence)

    return accept
