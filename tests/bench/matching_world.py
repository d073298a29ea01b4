"""Invented organizations in many scripts, and pairs of them with the answer: same or not.

Nothing here is a real organization: cores are put together from syllables. Two records of one
organization differ as registers, lists and sanction notices differ: script, scheme of
transliteration, translated words, legal form, order, typing errors, left-out words.
"""

import random
import re
from dataclasses import dataclass, replace
from importlib.resources import files

from anyascii import anyascii

from sightline.match.records import Candidate

# One industry or kind of body in the languages of the generator.
KINDS = {
    "bank": {
        "en": "Bank",
        "ru": "Банк",
        "uk": "Банк",
        "zh": "银行",
        "de": "Bank",
        "es": "Banco",
        "ar": "بنك",
        "fr": "Banque",
        "ko": "은행",
        "ja": "銀行",
    },
    "insurance": {
        "en": "Insurance",
        "ru": "Страхование",
        "uk": "Страхування",
        "zh": "保险",
        "de": "Versicherung",
        "es": "Seguros",
        "ar": "تأمين",
        "fr": "Assurance",
        "ko": "보험",
        "ja": "保険",
    },
    "trading": {
        "en": "Trading",
        "ru": "Трейдинг",
        "uk": "Трейд",
        "zh": "贸易",
        "de": "Handel",
        "es": "Comercial",
        "ar": "تجارة",
        "fr": "Commerce",
        "ko": "무역",
        "ja": "貿易",
    },
    "construction": {
        "en": "Construction",
        "ru": "Строительство",
        "uk": "Будівництво",
        "zh": "建设",
        "de": "Bau",
        "es": "Construcciones",
        "ar": "مقاولات",
        "fr": "Construction",
        "ko": "건설",
        "ja": "建設",
    },
    "factory": {
        "en": "Plant",
        "ru": "Завод",
        "uk": "Завод",
        "zh": "工厂",
        "de": "Werk",
        "es": "Fábrica",
        "ar": "مصنع",
        "fr": "Usine",
        "ko": "공장",
        "ja": "工場",
    },
    "university": {
        "en": "University",
        "ru": "Университет",
        "uk": "Університет",
        "zh": "大学",
        "de": "Universität",
        "es": "Universidad",
        "ar": "جامعة",
        "fr": "Université",
        "ko": "대학교",
        "ja": "大学",
    },
    "institute": {
        "en": "Institute",
        "ru": "Институт",
        "uk": "Інститут",
        "zh": "研究院",
        "de": "Institut",
        "es": "Instituto",
        "ar": "معهد",
        "fr": "Institut",
        "ko": "연구원",
        "ja": "研究所",
    },
    "transport": {
        "en": "Transport",
        "ru": "Транспорт",
        "uk": "Транспорт",
        "zh": "运输",
        "de": "Transport",
        "es": "Transportes",
        "ar": "نقل",
        "fr": "Transport",
        "ko": "운송",
        "ja": "運輸",
    },
    "shipping": {
        "en": "Shipping",
        "ru": "Судоходство",
        "uk": "Судноплавство",
        "zh": "航运",
        "de": "Reederei",
        "es": "Naviera",
        "ar": "ملاحة",
        "fr": "Maritime",
        "ko": "해운",
        "ja": "海運",
    },
    "electronics": {
        "en": "Electronics",
        "ru": "Электроника",
        "uk": "Електроніка",
        "zh": "电子",
        "de": "Elektronik",
        "es": "Electrónica",
        "ar": "إلكترونيات",
        "fr": "Electronique",
        "ko": "전자",
        "ja": "電子",
    },
    "energy": {
        "en": "Energy",
        "ru": "Энергия",
        "uk": "Енергія",
        "zh": "能源",
        "de": "Energie",
        "es": "Energía",
        "ar": "طاقة",
        "fr": "Energie",
        "ko": "에너지",
        "ja": "エネルギー",
    },
    "oil": {
        "en": "Oil",
        "ru": "Нефть",
        "uk": "Нафта",
        "zh": "石油",
        "de": "Öl",
        "es": "Petróleo",
        "ar": "نفط",
        "fr": "Pétrole",
        "ko": "석유",
        "ja": "石油",
    },
    "chemical": {
        "en": "Chemical",
        "ru": "Химия",
        "uk": "Хімія",
        "zh": "化工",
        "de": "Chemie",
        "es": "Química",
        "ar": "كيماويات",
        "fr": "Chimie",
        "ko": "화학",
        "ja": "化学",
    },
    "technology": {
        "en": "Technologies",
        "ru": "Технологии",
        "uk": "Технології",
        "zh": "科技",
        "de": "Technik",
        "es": "Tecnología",
        "ar": "تكنولوجيا",
        "fr": "Technologies",
        "ko": "기술",
        "ja": "テクノロジー",
    },
    "holding": {
        "en": "Holding",
        "ru": "Холдинг",
        "uk": "Холдинг",
        "zh": "控股",
        "de": "Holding",
        "es": "Holding",
        "ar": "القابضة",
        "fr": "Holding",
        "ko": "홀딩스",
        "ja": "ホールディングス",
    },
    "group": {
        "en": "Group",
        "ru": "Группа",
        "uk": "Група",
        "zh": "集团",
        "de": "Gruppe",
        "es": "Grupo",
        "ar": "مجموعة",
        "fr": "Groupe",
        "ko": "그룹",
        "ja": "グループ",
    },
    "investment": {
        "en": "Investment",
        "ru": "Инвест",
        "uk": "Інвест",
        "zh": "投资",
        "de": "Beteiligungen",
        "es": "Inversiones",
        "ar": "استثمار",
        "fr": "Investissement",
        "ko": "투자",
        "ja": "投資",
    },
    "hospital": {
        "en": "Hospital",
        "ru": "Больница",
        "uk": "Лікарня",
        "zh": "医院",
        "de": "Klinikum",
        "es": "Hospital",
        "ar": "مستشفى",
        "fr": "Hôpital",
        "ko": "병원",
        "ja": "病院",
    },
    "school": {
        "en": "School",
        "ru": "Школа",
        "uk": "Школа",
        "zh": "学校",
        "de": "Schule",
        "es": "Escuela",
        "ar": "مدرسة",
        "fr": "Ecole",
        "ko": "학교",
        "ja": "学校",
    },
    "foundation": {
        "en": "Foundation",
        "ru": "Фонд",
        "uk": "Фонд",
        "zh": "基金会",
        "de": "Stiftung",
        "es": "Fundación",
        "ar": "مؤسسة",
        "fr": "Fondation",
        "ko": "재단",
        "ja": "財団",
    },
    "media": {
        "en": "Media",
        "ru": "Медиа",
        "uk": "Медіа",
        "zh": "传媒",
        "de": "Medien",
        "es": "Medios",
        "ar": "إعلام",
        "fr": "Médias",
        "ko": "미디어",
        "ja": "メディア",
    },
    "aviation": {
        "en": "Airlines",
        "ru": "Авиакомпания",
        "uk": "Авіакомпанія",
        "zh": "航空",
        "de": "Fluggesellschaft",
        "es": "Aerolíneas",
        "ar": "طيران",
        "fr": "Aviation",
        "ko": "항공",
        "ja": "航空",
    },
    "ministry": {
        "en": "Ministry",
        "ru": "Министерство",
        "uk": "Міністерство",
        "zh": "部",
        "de": "Ministerium",
        "es": "Ministerio",
        "ar": "وزارة",
        "fr": "Ministère",
        "ko": "부",
        "ja": "省",
    },
    "service": {
        "en": "Services",
        "ru": "Сервис",
        "uk": "Сервіс",
        "zh": "服务",
        "de": "Service",
        "es": "Servicios",
        "ar": "خدمات",
        "fr": "Services",
        "ko": "서비스",
        "ja": "サービス",
    },
}
FORMS = {
    "ru": [
        (
            "ООО",
            "OOO",
            "Общество с ограниченной ответственностью",
            "Obshchestvo s ogranichennoy otvetstvennostyu",
            "LLC",
        ),
        ("АО", "AO", "Акционерное общество", "Aktsionernoe obshchestvo", "JSC"),
        (
            "ПАО",
            "PAO",
            "Публичное акционерное общество",
            "Publichnoe aktsionernoe obshchestvo",
            "PJSC",
        ),
        (
            "ФГУП",
            "FGUP",
            "Федеральное государственное унитарное предприятие",
            "Federalnoye gosudarstvennoye unitarnoye predpriyatiye",
            "Federal State Unitary Enterprise",
        ),
    ],
    "uk": [
        (
            "ТОВ",
            "TOV",
            "Товариство з обмеженою відповідальністю",
            "Tovarystvo z obmezhenoiu vidpovidalnistiu",
            "LLC",
        ),
        (
            "ПАТ",
            "PAT",
            "Публічне акціонерне товариство",
            "Publichne aktsionerne tovarystvo",
            "PJSC",
        ),
        ("ДП", "DP", "Державне підприємство", "Derzhavne pidpryiemstvo", "State Enterprise"),
    ],
    "zh": [
        ("有限公司", "Youxian Gongsi", "有限责任公司", "Youxian Zeren Gongsi", "Co., Ltd."),
        (
            "股份有限公司",
            "Gufen Youxian Gongsi",
            "股份有限公司",
            "Gufen Youxian Gongsi",
            "Company Limited",
        ),
    ],
    "ar": [
        ("شركة", "Sharikat", "شركة", "Sharika", "Company"),
        ("ش.م.م", "", "المحدودة", "", "LLC"),
    ],
    "ko": [("주식회사", "Jusik Hoesa", "㈜", "", "Co., Ltd.")],
    "ja": [
        ("株式会社", "Kabushiki Kaisha", "㈱", "KK", "Corporation"),
        ("有限会社", "Yugen Kaisha", "有限会社", "", "Ltd."),
    ],
    "de": [
        ("GmbH", "GmbH", "Gesellschaft mit beschränkter Haftung", "Gesellschaft mbH", "LLC"),
        ("AG", "AG", "Aktiengesellschaft", "Aktiengesellschaft", "AG"),
    ],
    "es": [
        ("S.A.", "SA", "Sociedad Anónima", "Sociedad Anonima", "S.A."),
        ("S.L.", "SL", "Sociedad Limitada", "S.L.", "Ltd"),
    ],
    "fr": [
        ("SARL", "S.A.R.L.", "Société à responsabilité limitée", "SARL", "LLC"),
        ("SA", "S.A.", "Société Anonyme", "SA", "SA"),
    ],
    "en": [
        ("Inc.", "Inc", "Incorporated", "Inc", "Inc."),
        ("LLC", "L.L.C.", "Limited Liability Company", "LLC", "LLC"),
        ("Ltd", "Ltd.", "Limited", "Limited", "Ltd"),
        ("Corp.", "Corp", "Corporation", "Corporation", "Corp"),
    ],
}
COUNTRIES = {
    "ru": "RU",
    "uk": "UA",
    "zh": "CN",
    "ar": "AE",
    "ko": "KR",
    "ja": "JP",
    "de": "DE",
    "es": "ES",
    "fr": "FR",
    "en": "US",
}
CITIES = {
    "ru": [
        ("Москва", "Moscow"),
        ("Томск", "Tomsk"),
        ("Казань", "Kazan"),
        ("Санкт-Петербург", "Saint Petersburg"),
        ("Самара", "Samara"),
        ("Пермь", "Perm"),
    ],
    "uk": [("Київ", "Kyiv"), ("Львів", "Lviv"), ("Одеса", "Odesa"), ("Полтава", "Poltava")],
    "zh": [
        ("北京", "Beijing"),
        ("上海", "Shanghai"),
        ("深圳", "Shenzhen"),
        ("武汉", "Wuhan"),
        ("大连", "Dalian"),
    ],
    "ar": [("دبي", "Dubai"), ("القاهرة", "Cairo"), ("دمشق", "Damascus"), ("بغداد", "Baghdad")],
    "ko": [("서울", "Seoul"), ("부산", "Busan")],
    "ja": [("東京", "Tokyo"), ("大阪", "Osaka"), ("名古屋", "Nagoya")],
    "de": [
        ("München", "Munich"),
        ("Köln", "Cologne"),
        ("Hannover", "Hanover"),
        ("Bremen", "Bremen"),
    ],
    "es": [("Madrid", "Madrid"), ("Sevilla", "Seville"), ("Granada", "Granada")],
    "fr": [("Lyon", "Lyon"), ("Marseille", "Marseille"), ("Lille", "Lille")],
    "en": [
        ("Springfield", "Springfield"),
        ("Dayton", "Dayton"),
        ("Fresno", "Fresno"),
        ("Tulsa", "Tulsa"),
        ("Omaha", "Omaha"),
    ],
}
SYLLABLES = {
    "ru": [
        "ро",
        "ма",
        "шка",
        "век",
        "тор",
        "ал",
        "маз",
        "си",
        "бирь",
        "тех",
        "но",
        "прог",
        "рес",
        "за",
        "ря",
        "люч",
        "ник",
        "ель",
        "гор",
        "ст",
        "ан",
        "тро",
        "виж",
        "кор",
        "до",
        "щит",
        "яр",
        "цен",
        "хим",
        "жел",
        "юг",
    ],
    "uk": [
        "ві",
        "кто",
        "рія",
        "дні",
        "про",
        "кар",
        "пат",
        "гай",
        "ка",
        "зо",
        "ря",
        "лис",
        "тру",
        "д",
        "їж",
        "ак",
        "юн",
        "щедр",
        "бук",
        "ст",
        "ар",
        "во",
        "ля",
    ],
    "zh": list("华腾信达联盛泰和鑫源宏瑞嘉恒博凯隆昌富润翔宇龙飞顺天海江明"),
    "ar": [
        "نور",
        "فجر",
        "سلا",
        "مة",
        "راف",
        "دين",
        "بر",
        "كة",
        "حم",
        "زا",
        "زه",
        "را",
        "كو",
        "ثر",
        "صف",
        "ا",
        "وس",
        "ام",
    ],
    "ko": list("한성대우진보영신광명태화동원세아일풍산"),
    "ja": [
        "マ",
        "ツ",
        "カ",
        "ワ",
        "ノ",
        "リ",
        "タ",
        "ミ",
        "ナ",
        "セ",
        "イ",
        "コ",
        "ハ",
        "ラ",
        "キ",
        "ト",
        "サ",
    ],
    "de": [
        "berg",
        "hol",
        "stein",
        "wal",
        "der",
        "kro",
        "nen",
        "lich",
        "feld",
        "hau",
        "ser",
        "man",
        "brun",
        "tal",
        "ritz",
    ],
    "es": [
        "mon",
        "ta",
        "sol",
        "ri",
        "vera",
        "cas",
        "lu",
        "na",
        "gar",
        "del",
        "mar",
        "pi",
        "no",
        "to",
        "rre",
    ],
    "fr": [
        "beau",
        "mont",
        "cla",
        "ire",
        "du",
        "val",
        "ro",
        "che",
        "lan",
        "gue",
        "cher",
        "bon",
        "ville",
    ],
    "en": [
        "ark",
        "sto",
        "ne",
        "wood",
        "vel",
        "tra",
        "bri",
        "dge",
        "mar",
        "lin",
        "hal",
        "cy",
        "on",
        "qua",
        "ter",
        "pen",
        "dle",
        "fox",
        "ley",
        "com",
    ],
}


def _more_kinds() -> dict[str, dict[str, str]]:
    """Kinds of the product's own table of concepts that it has in every script."""
    text = files("sightline.match").joinpath("data", "concepts.tsv").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        name, kind, words, *_ = [*line.split("\t"), "", ""]
        if not kind.startswith("g") or name in KINDS:
            continue
        spelled = {
            language: next((word for word in words.split() if script.fullmatch(word)), "")
            for language, script in _SCRIPTS.items()
        }
        if all(spelled.values()):
            english = name.title()
            ending = "ный" if spelled["ru"].endswith("*") else ""
            spelled["ru"] = spelled["ru"].rstrip("*") + ending
            found[name] = {"uk": spelled["ru"], "ja": spelled["zh"], **spelled}
            found[name].update(dict.fromkeys(("en", "de", "es", "fr"), english))
    return found


_SCRIPTS = {
    "ru": re.compile("[а-я]{4,}[*]?"),
    "zh": re.compile("[一-龥]{2,3}"),
    "ko": re.compile("[가-힣]{2,3}"),
    "ar": re.compile("[ء-ي]{4,}"),
}


def _untold_kinds(count: int) -> dict[str, dict[str, str]]:
    """Kinds that no table has: real names hold many words whose translation is not known."""
    random_ = random.Random(5)
    return {
        f"untold{number}": {
            language: "".join(random_.choices(syllables, k=2 if language in ("zh", "ko") else 3))
            for language, syllables in SYLLABLES.items()
        }
        for number in range(count)
    }


KINDS.update(_more_kinds())
KINDS.update(_untold_kinds(40))
PINYIN = {sign: anyascii(sign).lower() for sign in SYLLABLES["zh"]}
SCHEMES = [
    {},
    {"kh": "h", "ts": "c", "shch": "sch", "y": "i"},
    {"zh": "j", "ya": "ja", "yu": "ju", "shch": "shh"},
    {"iya": "ia", "ks": "x", "ye": "e", "sh": "sch"},
    {"oe": "oye", "v": "w", "ya": "ia", "yu": "iu"},
]
_RU = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґ",
        [
            "a",
            "b",
            "v",
            "g",
            "d",
            "e",
            "yo",
            "zh",
            "z",
            "i",
            "y",
            "k",
            "l",
            "m",
            "n",
            "o",
            "p",
            "r",
            "s",
            "t",
            "u",
            "f",
            "kh",
            "ts",
            "ch",
            "sh",
            "shch",
            "_",
            "y",
            "_",
            "e",
            "yu",
            "ya",
            "i",
            "yi",
            "ye",
            "g",
        ],
        strict=True,
    )
)


@dataclass(frozen=True)
class Organization:
    """An invented organization: core in its own script, kinds, number, place, form."""

    language: str
    core: str
    kinds: tuple[str, ...]
    number: int | None
    place: tuple[str, str] | None
    city: tuple[str, str]
    form: int


def invent(random_: random.Random) -> Organization:
    """One organization."""
    language = random_.choices(list(SYLLABLES), [8, 3, 4, 3, 1, 2, 2, 2, 1, 6])[0]
    size = {"zh": (2, 3), "ko": (2, 3), "ja": (3, 4)}.get(language, (2, 4))
    core = "".join(random_.choices(SYLLABLES[language], k=random_.randint(*size)))
    if language in {"en", "de", "es", "fr"} and random_.random() < 0.3:
        core += " " + "".join(random_.choices(SYLLABLES[language], k=2))
    kinds = tuple(random_.sample(list(KINDS), random_.choices([0, 1, 2, 3], [2, 5, 3, 1])[0]))
    number = random_.randint(1, 60) if random_.random() < 0.08 else None
    city = random_.choice(CITIES[language])
    place = random_.choice(CITIES[language]) if random_.random() < 0.15 else None
    return Organization(language, core, kinds, number, place, city, random_.randrange(4))


def sibling(one: Organization, random_: random.Random) -> Organization:
    """Another organization that is easily taken for the first."""
    other = invent(random_)
    while other.language != one.language:
        other = invent(random_)
    way = random_.random()
    if way < 0.3:
        kinds = list(one.kinds)
        new = random_.choice([kind for kind in KINDS if kind not in kinds])
        if kinds and random_.random() < 0.55:
            kinds[random_.randrange(len(kinds))] = new
        elif kinds and random_.random() < 0.2:
            kinds.pop()
        else:
            kinds.append(new)
        return replace(one, kinds=tuple(kinds), city=other.city)
    if way < 0.5:
        return replace(
            one, core=other.core, city=other.city if random_.random() < 0.5 else one.city
        )
    if way < 0.6:
        number = (one.number or random_.randint(1, 30)) + random_.randint(1, 30)
        return replace(one, number=number)
    if way < 0.72:
        place = random_.choice([c for c in CITIES[one.language] if c != one.place])
        return replace(one, place=place, city=place)
    if way < 0.87:
        at = random_.randrange(len(one.core))
        letters = "".join(SYLLABLES[one.language])
        core = one.core[:at] + random_.choice(letters) + one.core[at + 1 :]
        if random_.random() < 0.5:
            core += random_.choice(SYLLABLES[one.language])
        return replace(one, core=core, city=other.city)
    return other


def latin(text: str, random_: random.Random) -> str:
    """One of the ways to write it in Latin letters."""
    out = []
    for letter in text.lower():
        if letter in _RU:
            out.append(_RU[letter].replace("_", ""))
        else:
            out.append(PINYIN.get(letter) or anyascii(letter).lower())
    written = "".join(out)
    for old, new in random_.choice(SCHEMES).items():
        if any(letter in _RU for letter in text.lower()):
            written = written.replace(old, new)
    if any("\u0600" <= letter <= "\u06ff" for letter in text):
        written = "".join(
            letter
            + (random_.choice("aeiou") if letter not in "aeiou " and random_.random() < 0.5 else "")
            for letter in written
        )
    return written.title()


def render(one: Organization, random_: random.Random, *, native: bool) -> str:
    """The organization's name as one source writes it."""
    language = one.language
    forms = FORMS[language]
    form = forms[one.form % len(forms)]
    translated = random_.random() < 0.6
    kinds = list(one.kinds)
    if kinds and random_.random() < 0.04:
        kinds.pop()
    if native:
        words = [KINDS[kind][language] for kind in kinds]
        core, place = one.core, one.place[0] if one.place else ""
        shown_form = random_.choice([form[0], form[0], form[2], ""])
    else:
        words = [
            KINDS[kind]["en"] if translated else latin(KINDS[kind][language], random_)
            for kind in kinds
        ]
        core, place = latin(one.core, random_), one.place[1] if one.place else ""
        shown_form = random_.choice([form[1], form[4], form[4], form[3], ""])
    if native and language in {"zh", "ko", "ja"}:
        number = f"第{one.number}" if one.number else ""
        return place + core + "".join(words) + number + shown_form
    if random_.random() < 0.12 and len(core) > 4:
        at = random_.randrange(1, len(core) - 1)
        core = (
            core[:at] + core[at + 1 :]
            if random_.random() < 0.5
            else core[:at] + core[at] + core[at:]
        )
    if language in {"ru", "uk"} and random_.random() < 0.4:
        core = f"«{core}»" if native else f'"{core}"'
    number = (random_.choice(["№ {}", "{}", "No. {}"]).format(one.number)) if one.number else ""
    first = random_.random() < (0.7 if language in {"ru", "uk", "ar", "es", "fr"} else 0.1)
    parts = [*words, core] if first else [core, *words]
    parts = [*parts, number, place]
    edge = language in {"ru", "uk", "ar"} and (native or random_.random() < 0.5)
    parts = [shown_form, *parts] if edge else [*parts, shown_form]
    text = " ".join(part for part in parts if part)
    return text.upper() if random_.random() < 0.2 else text


def record(one: Organization, random_: random.Random, *, native: bool, places: bool) -> Candidate:
    """One source's record; with places mostly given, in one of two languages."""
    country = COUNTRIES[one.language] if places and random_.random() < 0.9 else None
    city = random_.choice(one.city) if places and random_.random() < 0.8 else None
    if city and random_.random() < 0.06:
        city = random_.choice(CITIES[one.language])[1]
    return Candidate("", render(one, random_, native=native), country, city)


def pairs(count: int, seed: int = 1) -> list[tuple[Candidate, Candidate, bool]]:
    """Pairs with the answer; half are the same organization. Places are given for half of them."""
    random_ = random.Random(seed)
    made = []
    while len(made) < count:
        one = invent(random_)
        same = random_.random() < 0.5
        other = one if same else sibling(one, random_)
        if not same and (other.core, other.kinds, other.number, other.place) == (
            one.core,
            one.kinds,
            one.number,
            one.place,
        ):
            continue
        way = random_.random()
        native = (True, False) if way < 0.45 else (False, False) if way < 0.8 else (True, True)
        places = random_.random() < 0.4
        left = record(one, random_, native=native[0], places=places)
        right = record(other, random_, native=native[1], places=places)
        if fold_equal(left.name, right.name) and not same:
            continue
        made.append((left, right, same))
    return made


def fold_equal(left: str, right: str) -> bool:
    """Whether two names are the same but for case and blanks."""
    return "".join(left.casefold().split()) == "".join(right.casefold().split())
