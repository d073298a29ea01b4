"""Two databases of companies, made from a list of real or invented ones: as two vendors write them.

Each of the two has habits of its own (legal forms, case, accents, abbreviations, missing places);
each row deviates at random. Half of the left rows' partners are removed, and rows easily taken for
them are added: siblings, namesakes elsewhere, companies of the same words.
"""

import random
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from sightline.match.records import Candidate

# ruff: noqa: E501

Company = tuple[str, str, str]
"""Name, country code or "", city or ""."""
Databases = tuple[list[Candidate], list[Candidate], dict[str, str]]

# country: legal forms parted by "|" (each with its spellings by "="); cities with their spellings by "=".
_PLACES = """
US;Inc=Inc.=Incorporated|LLC=L.L.C.|Corp=Corporation=Corp.|Co=Company=Co.|LP=L.P.|Ltd;New York=New York City|San Francisco|Chicago|Boston|Austin|Seattle|Houston|St. Louis=Saint Louis|Ft. Worth=Fort Worth|Denver
GB;Ltd=Limited=Ltd.|PLC=plc=P.L.C.|LLP;London|Manchester|Birmingham|Leeds|Bristol|Edinburgh
DE;GmbH=Gesellschaft mbH=Gesellschaft mit beschränkter Haftung=Ltd|AG=Aktiengesellschaft|GmbH & Co. KG=GmbH + Co KG|SE|KG|eG;München=Munich=Muenchen|Köln=Cologne=Koeln|Frankfurt am Main=Frankfurt=Frankfurt/Main|Nürnberg=Nuremberg|Hannover=Hanover|Berlin|Hamburg|Düsseldorf=Dusseldorf=Duesseldorf|Braunschweig=Brunswick
FR;SA=S.A.=Société Anonyme|SAS=S.A.S.|SARL=S.A.R.L.=Sarl;Paris|Lyon=Lyons|Marseille=Marseilles|Strasbourg|Toulouse|Nantes|Saint-Denis=St Denis
IT;S.p.A.=SpA=SPA|S.r.l.=Srl=SRL;Milano=Milan|Roma=Rome|Torino=Turin|Napoli=Naples|Firenze=Florence|Genova=Genoa|Bologna|Venezia=Venice
ES;S.A.=SA=Sociedad Anónima|S.L.=SL=Sociedad Limitada;Madrid|Barcelona|Sevilla=Seville|Valencia|Zaragoza=Saragossa|Bilbao
PT;S.A.=SA|Lda=Lda.=Limitada;Lisboa=Lisbon|Porto=Oporto|Braga
NL;B.V.=BV|N.V.=NV;Amsterdam|Den Haag=The Hague='s-Gravenhage|Rotterdam|Eindhoven|Utrecht
BE;NV=N.V.=SA|BVBA=SPRL;Brussel=Brussels=Bruxelles|Antwerpen=Antwerp=Anvers|Gent=Ghent=Gand|Leuven=Louvain|Brugge=Bruges
CH;AG=SA=Ltd|GmbH=Sàrl;Zürich=Zurich|Genève=Geneva=Genf|Basel=Basle=Bâle|Bern=Berne|Lausanne|Luzern=Lucerne
AT;GmbH=GesmbH=Ges.m.b.H.|AG;Wien=Vienna|Graz|Linz|Salzburg
SE;AB=Aktiebolag;Stockholm|Göteborg=Gothenburg=Goteborg|Malmö=Malmo|Uppsala
DK;A/S=AS|ApS;København=Copenhagen=Kobenhavn|Århus=Aarhus|Odense
NO;AS=A/S|ASA;Oslo|Bergen|Trondheim|Stavanger
FI;Oy=Oyj=Ltd|Oy Ab;Helsinki=Helsingfors|Espoo=Esbo|Turku=Åbo|Tampere=Tammerfors
PL;Sp. z o.o.=Spółka z o.o.=Sp z oo|S.A.=SA=Spółka Akcyjna;Warszawa=Warsaw|Kraków=Krakow=Cracow|Wrocław=Wroclaw=Breslau|Gdańsk=Gdansk|Łódź=Lodz
CZ;a.s.=as=akciová společnost|s.r.o.=sro=spol. s r.o.;Praha=Prague|Brno|Plzeň=Pilsen|Ostrava
HU;Kft.=Kft|Zrt.=Zrt|Nyrt.;Budapest|Debrecen|Szeged
RO;SRL=S.R.L.|SA=S.A.;București=Bucharest=Bucuresti|Cluj-Napoca=Cluj|Timișoara=Timisoara
RU;OOO=LLC|AO=JSC|PAO=PJSC;Moskva=Moscow|Sankt-Peterburg=St. Petersburg=Saint Petersburg|Kazan|Samara
TR;A.Ş.=A.S.=AS=Anonim Şirketi|Ltd. Şti.=Ltd Sti;İstanbul=Istanbul|Ankara|İzmir=Izmir|Bursa
JP;K.K.=Kabushiki Kaisha=Co., Ltd.=KK|Co., Ltd.=Co Ltd=Corporation;Tokyo|Osaka|Nagoya|Yokohama|Kyoto|Minato
CN;Co., Ltd.=Co Ltd=Company Limited|Group Co., Ltd.=Group;Beijing=Peking|Shanghai|Shenzhen|Guangzhou=Canton|Hangzhou|Nanjing
KR;Co., Ltd.=Co Ltd=Corporation|Inc.=Corp;Seoul|Busan=Pusan|Incheon=Inchon|Suwon
IN;Pvt Ltd=Private Limited=Pvt. Ltd.|Ltd=Limited;Mumbai=Bombay|Bengaluru=Bangalore|Chennai=Madras|Kolkata=Calcutta|New Delhi=Delhi|Hyderabad|Gurgaon=Gurugram
BR;S.A.=S/A=SA|Ltda=Ltda.=Limitada;São Paulo=Sao Paulo|Rio de Janeiro|Brasília=Brasilia|Curitiba
MX;S.A. de C.V.=SA de CV|S. de R.L. de C.V.;Ciudad de México=Mexico City=México D.F.|Monterrey|Guadalajara
AU;Pty Ltd=Pty. Ltd.=Proprietary Limited|Ltd=Limited;Sydney|Melbourne|Brisbane|Perth
CA;Inc.=Inc|Ltd.=Ltée=Limited;Toronto|Montréal=Montreal|Vancouver|Québec=Quebec City
SG;Pte Ltd=Pte. Ltd.=Private Limited;Singapore
ZA;(Pty) Ltd=Pty Ltd|Ltd=Limited;Johannesburg|Cape Town=Kaapstad|Durban
"""
_FORMS: dict[str, list[list[str]]] = {}
_CITIES: dict[str, list[list[str]]] = {}
for _line in _PLACES.strip().splitlines():
    _code, _forms, _cities = _line.split(";")
    _FORMS[_code] = [each.split("=") for each in _forms.split("|")]
    _CITIES[_code] = [each.split("=") for each in _cities.split("|")]
AREAS = {
    line.split("|")[0].title(): line.split("|")[1:]
    for line in files("sightline.match").joinpath("data", "metros.tsv").read_text().splitlines()
}
"""Cities around a large one: where one vendor has the seat and the other the head office."""
_NAMES = dict(
    each.split("=")
    for each in (
        "US=USA GB=UK DE=Deutschland FR=France IT=Italia ES=España NL=Nederland CH=Schweiz CA=Canada "
        "JP=Japan CN=China IN=India BR=Brasil MX=México AU=Australia SG=Singapore PL=Polska SE=Sverige"
    ).split()
)
_ADJECTIVES = dict(
    each.split("=")
    for each in (
        "US=American GB=British DE=Deutsche FR=Française IT=Italiana ES=Española AT=Österreichische "
        "SE=Svenska NO=Norsk DK=Dansk JP=Nippon CN=China KR=Korea IN=Indian CA=Canadian PL=Polska"
    ).split()
)
_COUNTRY_WORDS = dict(
    each.split("=")
    for each in (
        "US=United_States GB=United_Kingdom DE=Germany FR=France IT=Italy ES=Spain PT=Portugal "
        "NL=Netherlands BE=Belgium CH=Switzerland AT=Austria SE=Sweden DK=Denmark NO=Norway FI=Finland "
        "PL=Poland CZ=Czech_Republic HU=Hungary RO=Romania RU=Russia TR=Turkey JP=Japan CN=China "
        "KR=South_Korea IN=India BR=Brazil MX=Mexico AU=Australia CA=Canada SG=Singapore ZA=South_Africa"
    ).split()
)
_SHORT = dict(
    each.split("=")
    for each in (
        "international=Intl manufacturing=Mfg services=Svcs technologies=Tech technology=Tech brothers=Bros "
        "university=Univ national=Natl associates=Assoc association=Assn american=Amer systems=Sys "
        "industries=Inds industrial=Indl management=Mgmt insurance=Ins financial=Finl engineering=Engrg "
        "laboratories=Labs pharmaceuticals=Pharma holdings=Hldgs group=Grp development=Dev company=Co "
        "communications=Comm electric=Elec electronics=Elecs hospital=Hosp medical=Med department=Dept "
        "institute=Inst global=Glbl solutions=Solns products=Prods transportation=Transp center=Ctr "
        "resources=Res properties=Props corporation=Corp general=Gen southern=So consulting=Consltg "
        "northwest=NW saint=St mount=Mt health=Hlth software=SW distribution=Distr construction=Constr"
    ).split()
)
_TRAILING = (
    "Group Holdings Holding Technologies Technology International Services Solutions Systems Industries "
    "Global Labs Partners Software Worldwide Enterprises Networks Associates Health Therapeutics Company"
).split()
_ACTIVITIES = (
    "Bank Insurance Energy Foods Media Logistics Capital Consulting Construction Pharma Mining Motors "
    "Steel Chemicals Electric Aerospace Airlines Leasing Securities Properties Hotels Textiles Farms "
    "Engineering Telecom Trading Shipping Gas Oil Water Power Paper Packaging Retail Studios Analytics"
).split()
_TRANSLATED = [
    each.split("=")
    for each in (
        "Bank=Banque=Banco=Banca=Banka|Insurance=Versicherung=Assurances=Seguros=Assicurazioni|"
        "Industries=Industrie=Industrias=Industria|Group=Gruppe=Groupe=Grupo=Gruppo|Foods=Alimentos=Aliments|"
        "Energy=Energie=Energía=Energia|Electric=Électrique=Eléctrica=Elettrica|Trading=Handel=Comercial|"
        "Pharma=Farma=Pharmazeutika|Construction=Bau=Construcciones=Costruzioni|Systems=Systeme=Sistemas=Sistemi|"
        "Services=Servicios=Servizi=Dienstleistungen|International=Internationale=Internacional|"
        "Technology=Technologie=Tecnología=Tecnologia|Company=Compagnie=Compañía=Compagnia|"
        "Hospital=Klinikum=Hôpital|University=Universität=Université=Universidad=Università|"
        "Chemicals=Chemie=Chimie=Química|Steel=Stahl=Acier=Acero|Press=Verlag=Presse|Gas=Gaz|"
        "Telecom=Telekom=Télécom|Capital=Kapital|Holding=Holdings|Consulting=Beratung=Conseil=Consultoría"
    ).split("|")
]
_ACCENTS = {"o": "öóøô", "u": "üúù", "a": "äáåâ", "e": "éèê", "i": "íï", "c": "ç", "n": "ñ"}
_OPENED = {"ö": "oe", "ü": "ue", "ä": "ae", "ø": "oe", "å": "aa", "ß": "ss"}
_FORM_TAIL = re.compile(
    r"[\s,]+(?:inc|llc|l\.l\.c|corp|corporation|co|company|ltd|limited|lp|llp|plc|incorporated|pllc|pc)\.?$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Habits:
    """How often a vendor does what; 0 to 1."""

    form: float
    upper: float
    plain: float
    opened: float
    short: float
    the: float
    local_city: float
    no_city: float
    no_country: float
    country_word: bool
    around: float
    other_city: float
    noise: float


def habits(random_: random.Random) -> Habits:
    """Those of one vendor."""

    def some(least: float, most: float) -> float:
        return random_.uniform(least, most)

    return Habits(
        random_.choice((0.0, 0.05, 0.5, 0.9, 1.0)), random_.choice((0, 0, 0.1, 1.0)),
        random_.choice((0, 0, 0.5, 1.0)), some(0, 0.5), some(0, 0.25), some(0, 0.3),
        random_.choice((0.1, 0.5, 0.9)), random_.choice((0.0, 0.03, 0.1, 0.3)),
        random_.choice((0.0, 0.0, 0.05, 0.3)), random_.random() < 0.5,
        random_.choice((0.0, 0.05, 0.15)), random_.choice((0.01, 0.03, 0.06, 0.12)),
        random_.choice((0.03, 0.08, 0.15, 0.3)),
    )  # fmt: skip


def settle(name: str, country: str, city: str, random_: random.Random) -> Company:
    """A company somewhere in the world: two of three keep their place, the others move."""
    core = _FORM_TAIL.sub("", _FORM_TAIL.sub("", name.strip())).strip(" ,.") or name
    if not country or not city or random_.random() < 0.35:
        country = random_.choice(list(_CITIES))
        city = random_.choice(_CITIES[country])[0]
    if country in _CITIES and country not in {"US", "GB"} and random_.random() < 0.25:
        at = [i for i, letter in enumerate(core) if letter in _ACCENTS]
        if at:
            place = random_.choice(at)
            core = core[:place] + random_.choice(_ACCENTS[core[place]]) + core[place + 1 :]
    return core, country, city


def write(company: Company, vendor: Habits, form: int, random_: random.Random) -> Candidate:
    """One vendor's row about a company; ``form`` tells which legal form the company has."""
    name, country, city = company
    for change, share in _DEVIATIONS:
        if random_.random() < share * vendor.noise * 4:
            name = change(name, country, random_)
    if random_.random() < vendor.short:
        name = _abbreviated(name, random_)
    forms = _FORMS.get(country, _FORMS["US"])
    if random_.random() < vendor.form:
        spelling = forms[form % len(forms)]
        comma = random_.choice((" ", " ", ", "))
        name += comma + (spelling[0] if random_.random() < 0.6 else random_.choice(spelling))
    if random_.random() < vendor.the * 0.3 and not name.startswith("The "):
        name = "The " + name
    place = _city(country, city, vendor, random_)
    if random_.random() < vendor.plain:
        opened = random_.random() < vendor.opened
        name, place = _plain(name, opened=opened), _plain(place, opened=opened)
    if random_.random() < vendor.upper:
        name = name.upper()
    if vendor.country_word:
        country = _COUNTRY_WORDS.get(country, country).replace("_", " ")
    return Candidate(
        "", name, None if random_.random() < vendor.no_country else country or None, place or None
    )


def _city(country: str, city: str, vendor: Habits, random_: random.Random) -> str:
    if random_.random() < vendor.no_city:
        return ""
    known = _CITIES.get(country, [])
    if random_.random() < vendor.around and city in AREAS:
        return random_.choice(AREAS[city]).title()
    if random_.random() < vendor.other_city:
        return random_.choice(random_.choice(known)) if known else city
    spellings = next((each for each in known if city in each), [city])
    return spellings[0] if random_.random() < vendor.local_city else random_.choice(spellings)


def _plain(text: str, *, opened: bool) -> str:
    if opened:
        for letter, pair in _OPENED.items():
            text = text.replace(letter, pair)
    text = text.replace("ø", "o").replace("ł", "l").replace("ß", "ss")
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def _abbreviated(name: str, random_: random.Random) -> str:
    words = name.split()
    return " ".join(
        _SHORT[word.lower()] if word.lower() in _SHORT and random_.random() < 0.7 else word
        for word in words
    )


def _ampersand(name: str, country: str, random_: random.Random) -> str:
    if " & " in name:
        return name.replace(" & ", " and " if random_.random() < 0.7 else " ")
    return name.replace(" and ", " & ")


def _dropped_tail(name: str, country: str, random_: random.Random) -> str:
    words = name.split()
    if len(words) > 1 and words[-1].title() in _TRAILING:
        return " ".join(words[:-1])
    if len(words) > 2 and random_.random() < 0.35:
        return " ".join(words[:-1])
    return name


def _added_tail(name: str, country: str, random_: random.Random) -> str:
    return f"{name} {random_.choice(_TRAILING)}"


def _prefixed(name: str, country: str, random_: random.Random) -> str:
    words = name.split()
    if words[-1] in ("Group", "Groupe", "Grupo", "Gruppe"):
        front = {"FR": "Groupe", "ES": "Grupo", "MX": "Grupo", "BR": "Grupo", "IT": "Gruppo"}
        return " ".join([front.get(country, "Groupe"), *words[:-1]])
    adjective = _ADJECTIVES.get(country)
    return f"{adjective} {name}" if adjective and random_.random() < 0.5 else name


def _added_country(name: str, country: str, random_: random.Random) -> str:
    word = _NAMES.get(country)
    return f"{name} {random_.choice(('{}', '({})', 'of {}')).format(word)}" if word else name


def _typo(name: str, country: str, random_: random.Random) -> str:
    if len(name) < 5:
        return name
    at = random_.randrange(1, len(name) - 1)
    way = random_.random()
    if way < 0.35:
        return name[:at] + name[at + 1 :]
    if way < 0.6:
        return name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    if way < 0.8:
        return name[:at] + name[at] + name[at:]
    return name[:at] + random_.choice("aeiourstnl") + name[at + 1 :]


def _joined(name: str, country: str, random_: random.Random) -> str:
    if "-" in name:
        return name.replace("-", random_.choice((" ", "")))
    words = name.split()
    if len(words) > 1:
        at = random_.randrange(len(words) - 1)
        glue = random_.choice(("", "-"))
        return " ".join([*words[:at], words[at] + glue + words[at + 1], *words[at + 2 :]])
    inner = [i for i in range(2, len(name) - 2) if name[i].isupper() and name[i - 1].islower()]
    return name[: inner[0]] + " " + name[inner[0] :] if inner else name


def _reordered(name: str, country: str, random_: random.Random) -> str:
    words = name.split()
    if len(words) < 2:
        return name
    return (
        f"{words[-1]}, {' '.join(words[:-1])}"
        if len(words) == 2
        else " ".join(words[1:] + words[:1])
    )


def _initials(name: str, country: str, random_: random.Random) -> str:
    words = [
        word for word in name.split() if word[0].isalpha() and word.lower() not in ("and", "of")
    ]
    return "".join(word[0] for word in words).upper() if len(words) > 2 else name


def _aside(name: str, country: str, random_: random.Random) -> str:
    short = _initials(name, country, random_)
    if short != name and random_.random() < 0.6:
        return f"{name} ({short})"
    other = "".join(random_.choices("bdfglmnprst", k=1)) + random_.choice(
        ("ova", "aron", "ilex", "ento")
    )
    return f"{name} (formerly {other.title()})"


def _translated(name: str, country: str, random_: random.Random) -> str:
    words = name.split()
    for at, word in enumerate(words):
        for spellings in _TRANSLATED:
            if word in spellings:
                words[at] = random_.choice(spellings)
    return " ".join(words)


def _dotted(name: str, country: str, random_: random.Random) -> str:
    words = name.split()
    for at, word in enumerate(words):
        if 2 <= len(word) <= 4 and word.isupper() and word.isalpha():
            words[at] = random_.choice((".", " ", ". ")).join(word)
    return " ".join(words)


def _dotcom(name: str, country: str, random_: random.Random) -> str:
    return (
        name[:-4] if name.lower().endswith(".com") else name + ".com" if " " not in name else name
    )


def _of(name: str, country: str, random_: random.Random) -> str:
    words = name.split(" of ", 1)
    return f"{words[1]} {words[0]}" if len(words) == 2 else name


_DEVIATIONS: tuple[tuple[Callable[[str, str, random.Random], str], float], ...] = (
    (_translated, 0.30), (_ampersand, 0.35), (_dropped_tail, 0.25), (_added_tail, 0.07), (_prefixed, 0.08),
    (_added_country, 0.02), (_typo, 0.06), (_joined, 0.06), (_reordered, 0.03), (_initials, 0.03),
    (_aside, 0.02), (_dotted, 0.4), (_dotcom, 0.01), (_of, 0.03),
)  # fmt: skip


def sibling(company: Company, others: Sequence[Company], random_: random.Random) -> Company:
    """Another company that is easily taken for the given one."""
    name, country, city = company
    other = random_.choice(others)
    words = name.split()
    way = random_.random()
    where = (country, city) if random_.random() < 0.4 else other[1:]
    if way < 0.25:
        core = words[:-1] if len(words) > 1 and random_.random() < 0.7 else words
        new = random_.choice([each for each in _ACTIVITIES if each not in words])
        return " ".join([*core, new]), *where
    if way < 0.40:
        there = random_.choice([each for each in _NAMES if each != country])
        return f"{name} {_NAMES[there]}", there, random_.choice(_CITIES[there])[0]
    if way < 0.60 and len(words) > 1:
        return " ".join([other[0].split()[0], *words[1:]]), *where
    if way < 0.75:
        return f"{words[0]} {other[0].split()[-1]}", *where
    if way < 0.78:
        return name, country, random_.choice(_CITIES.get(country, [[city]]))[0]
    if way < 0.9:
        at = random_.randrange(len(words[0]))
        first = words[0][:at] + random_.choice("abdeiklmnorstv") + words[0][at + 1 :]
        if random_.random() < 0.5:
            first += random_.choice(("ex", "ia", "on", "er", "um"))
        return " ".join([first, *words[1:]]), *where
    away = random_.choice([each for each in _CITIES if each != country])
    return name, away, random_.choice(_CITIES[away])[0]


def databases(
    companies: Sequence[Company], *, seed: int, size: int = 1500, siblings: float | None = None
) -> Databases:
    """Left rows, right rows and the answers; about ``size`` rows on each side.

    ``siblings`` is how many of the companies, 0 to 1, have one that is easily taken for them.
    """
    random_ = random.Random(seed)
    share = random_.choice((0.0, 0.02, 0.06, 0.12, 0.25)) if siblings is None else siblings
    chosen = random_.sample(list(companies), min(size, len(companies)))
    settled = [settle(*company, random_) for company in chosen]
    vendors = habits(random_), habits(random_)
    twice = random_.choice((0.0, 0.0, 0.0, 0.05))
    left: list[Candidate] = []
    right: list[Candidate] = []
    answers: dict[str, str] = {}

    def put(company: Company, form: int) -> None:
        right.append(replace(write(company, vendors[1], form, random_), id=f"R{len(right)}"))

    for company in settled:
        form = random_.randrange(4)
        way = random_.random()
        if way < 0.8:
            # One lists the parent's form or seat, the other the operating company's.
            stated = form if random_.random() < 0.85 else random_.randrange(4)
            seat = company
            if random_.random() < 0.05:
                away = random_.choice(("IE", "NL", "GB", "LU", "BM", "US", "CH", "SG", "HK", "KY"))
                seat = (company[0], away, random_.choice(_CITIES.get(away, [[""]]))[0])
            for _ in range(1 + (random_.random() < twice)):
                left.append(replace(write(seat, vendors[0], stated, random_), id=f"L{len(left)}"))
                if way < 0.4:
                    answers[left[-1].id] = f"R{len(right)}"
        if way < 0.4 or way >= 0.8:
            put(company, form)
        if random_.random() < share:
            put(sibling(company, settled, random_), random_.randrange(4))
    return left, right, answers
