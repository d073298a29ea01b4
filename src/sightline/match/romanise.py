"""Names of any script in plain Latin letters, and keys that are stable across romanizations.

A name reaches us as "Газпром", "Gasprom" or "Gazprom": ``romanise`` brings it to Latin letters,
``key`` removes what schemes of transliteration disagree about, ``consonants`` what is left of vowels.
"""

import re
from functools import lru_cache
from operator import eq


def words_of(text: str) -> list[str]:
    """The words of a table that is written as one text."""
    return text.split()


_CYRILLIC = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґђјљњћџўәңғүұқөһѓќѕ",
        words_of(
            "a b v g d e e zh z i i k l m n o p r s t u f kh ts ch sh shch _ y _ e yu ya i i ye g "
            "dj j lj nj ch dz u a n g u u k o h g k dz"
        ),
        strict=True,
    )
)
_ARABIC = dict(
    zip(
        "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىأإآؤئءپچژگکیٹڈڑےھہں",
        words_of(
            "a b t th j h kh d d r z s sh s d t z a gh f k k l m n h u i a a a a a u i _ p ch zh "
            "g k i t d r e h h n"
        ),
        strict=True,
    )
)
_HEBREW = dict(
    zip(
        "אבגדהוזחטיכךלמםנןסעפףצץקרשת",
        words_of("a b g d h u z h t i k k l m m n n s a p f ts ts k r sh t"),
        strict=True,
    )
)
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρσςτυφχψω",
        words_of("a v g d e z i th i k l m n x o p r s s t i f kh ps o"),
        strict=True,
    )
)
_LETTERS = str.maketrans(
    {
        letter: "" if latin == "_" else latin
        for table in (_CYRILLIC, _ARABIC, _HEBREW, _GREEK)
        for letter, latin in table.items()
    }
)
# "The", "and the", "with the" and "for the".
_ARTICLE = re.compile("^و?(?:ال|لل|بال)(?=..)")
_GREEK_PAIRS = (
    ("μπ", "b"),
    ("ντ", "nt"),
    ("γκ", "g"),
    ("γγ", "ng"),
    ("ου", "u"),
    ("ευ", "ev"),
    ("αυ", "av"),
)
# What schemes of transliteration, and languages, write differently; in order.
_RULES = (
    "shch=s sch=s tsch=c tch=c dzh=j sh=s ch=c zh=z kh=h ph=f th=t gh=g wh=v ck=k qu=kv ks=x ts=s tz=s"
    " cz=c dj=j ce=se ci=si cy=si"
)
_SOUNDS = dict(rule.split("=") for rule in _RULES.split())
# "ts" at the end is as often a plural as one letter.
_SOUND = re.compile("|".join(sorted(_SOUNDS, key=len, reverse=True)).replace("ts|", "ts(?=.)|"))
ROMAN_NUMBERS = frozenset(
    words_of(
        "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii xxiv xxv"
    )
)
# KKR and TJX have no vowel; "shch" and the like are one letter of another script.
_SOUNDED = re.compile("[aeiouy]|sh|ch|zh|kh|ts")
_ABBREVIATED = str.maketrans({"q": "k", "c": "k", "w": "v", "j": "i"})
_SINGLE = str.maketrans({"q": "k", "w": "v", "y": "i", "j": "i"})
_VOWELS = dict(
    rule.split("=")
    for rule in ["ae=a", "oe=o", "ue=u", "ou=u", "oo=u", "ee=i", "ie=e", "iia=ia", "iu=u", "ei=i"]
)
_VOWEL = re.compile("|".join(sorted(_VOWELS, key=len, reverse=True)))
_TWICE = re.compile(r"(.)\1+")
_SOUNDS_LIKE = bytes.maketrans(b"vp", b"fb")
_NOT_PLAIN = re.compile("[^a-z0-9]+")


def romanise(word: str) -> str:
    """A folded word in lower-case ASCII letters and digits; "" when it has neither."""
    if word.isascii():
        return word
    first = word[0]
    if "\u0370" <= first <= "\u03ff":
        for pair, latin in _GREEK_PAIRS:
            word = word.replace(pair, latin)
    elif "\u0600" <= first <= "\u06ff":
        word = _ARTICLE.sub("", word)
        # A last h is mute, and must not make "kh" with the letter before it.
        word = word[:-1] + "ا" if word[-1:] == "ه" and len(word) > 3 else word
    word = word.translate(_LETTERS)
    if not word.isascii():
        # Its tables take longer to load than most lists need in all.
        from anyascii import anyascii

        word = anyascii(word).lower()
    return _NOT_PLAIN.sub("", word)


@lru_cache(maxsize=100_000)
def key(word: str) -> str:
    """A romanised word without what schemes differ in: "shch", "y/j/i", "kh/h", doubled letters.

    Never empty for a word that is not. Numbers, Roman ones too, and abbreviations keep their letters.
    """
    if word.isdigit() or word in ROMAN_NUMBERS:
        return word
    if len(word) < 3:
        return word.translate(_SINGLE)
    if len(word) < 5 and not _SOUNDED.search(word):
        return word.translate(_ABBREVIATED)
    found = _key(word)
    return found if len(found) > 1 else word.translate(_SINGLE)


def _key(word: str) -> str:
    heard = _SOUND.sub(lambda found: _SOUNDS[found[0]], word)
    # "ch" is now a bare c; a c of the writer's own is a k unless e, i or y follow.
    if "c" in word:
        heard = _hard_c(word)
    heard = _VOWEL.sub(lambda found: _VOWELS[found[0]], heard.translate(_SINGLE))
    return _once(heard)


def _hard_c(word: str) -> str:
    heard = word.replace("shch", "s").replace("tsch", "\x01").replace("sch", "s")
    marked = re.sub("tch|cz|ch", "\x01", heard.replace("ck", "k"))
    marked = re.sub("c(?=[eiy])", "s", marked).replace("c", "k")
    heard = _SOUND.sub(lambda found: _SOUNDS[found[0]], marked)
    return heard.replace("\x01", "c")


def consonants(of_key: str) -> str:
    """The consonants of a key: what Arabic and Hebrew write. Short ones keep their vowels."""
    if of_key.isdigit():
        return of_key
    plain = of_key.encode(errors="surrogatepass").translate(_SOUNDS_LIKE, b"aeiouh")
    bare = _once(plain.decode(errors="surrogatepass"))
    return bare if len(bare) > 1 else of_key


def _once(text: str) -> str:
    """Letters that are doubled, once."""
    return _TWICE.sub(r"\1", text) if any(map(eq, text, text[1:])) else text
