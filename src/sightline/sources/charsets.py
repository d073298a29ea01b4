"""Decodes bytes to text, whatever their character set and whatever is declared."""

import codecs
import re
from contextlib import suppress

from charset_normalizer import from_bytes

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META_CHARSET = re.compile(
    rb"<meta[^>]{0,200}?charset\s{0,5}=\s{0,5}[\"']?\s{0,5}([\w.:-]{2,40})", re.IGNORECASE
)
_XML_CHARSET = re.compile(rb"^\s*<\?xml[^>]{0,100}encoding\s*=\s*[\"']([\w.:-]{2,40})")
# The standard reads these labels as the Windows code page that contains them.
_LABELS = {
    "iso-8859-1": "cp1252", "latin-1": "cp1252", "latin1": "cp1252", "l1": "cp1252",
    "ascii": "cp1252", "us-ascii": "cp1252", "windows-1252": "cp1252",
    "iso-8859-9": "cp1254", "gb2312": "gb18030", "gbk": "gb18030", "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949", "shift_jis": "cp932", "shift-jis": "cp932", "x-sjis": "cp932",
    "tis-620": "cp874", "iso-8859-11": "cp874", "big5": "big5hkscs", "unicode": "utf-8",
    "utf8": "utf-8", "utf-16": "utf-16-le", "x-user-defined": "cp1252",
}  # fmt: skip
# Code pages that pages without a label are written in. Others would win by chance: the Cyrillic of the
# old Macintosh has the small letters of windows-1251 in the same places.
_CODE_PAGES = [
    "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp874",
    "iso8859_2", "iso8859_5", "iso8859_6", "iso8859_7", "koi8_r", "koi8_u", "cp866", "gb18030",
    "big5hkscs", "cp932", "euc_jp", "cp949",
]  # fmt: skip
_LANGUAGE = re.compile(rb"<html[^>]{0,300}?\blang\s*=\s*[\"']?([a-z]{2})\b", re.IGNORECASE)
# What browsers take for these languages when nothing else is said.
_LANGUAGE_PAGES = {
    "cs": "cp1250", "hr": "cp1250", "hu": "cp1250", "pl": "cp1250", "ro": "cp1250", "sk": "cp1250",
    "sl": "cp1250", "bg": "cp1251", "mk": "cp1251", "sr": "cp1251", "el": "cp1253", "tr": "cp1254",
    "he": "cp1255", "ar": "cp1256", "fa": "cp1256", "et": "cp1257", "lt": "cp1257", "lv": "cp1257",
    "vi": "cp1258", "th": "cp874",
}  # fmt: skip


def decode(content: bytes, declared: str | None) -> tuple[str, str, str | None]:
    """Text, character set and, when the label was wrong, a sentence about it.

    The order is the standard's: byte order mark, header, declaration in the page. Bytes that are
    valid UTF-8 are read as such whatever the labels say, since no other text looks like it.
    """
    for mark, name in _BOMS:
        if content.startswith(mark):
            return content[len(mark) :].decode(name, "replace"), name, None
    wide = _utf16_without_mark(content)
    if wide:
        return content.decode(wide, "replace"), wide, None
    labels = [label for label in (_known(declared), _declared_inside(content)) if label]
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_other(content, labels)
    wrong = bool(labels) and labels[0] not in {"utf-8", "cp1252"} and not text.isascii()
    if text.isascii() and labels and labels[0].startswith("iso2022"):
        return content.decode(labels[0], "replace"), labels[0], None
    note = f"Declared as {labels[0]}, but is UTF-8." if wrong else None
    return text, "utf-8", note


def _decode_other(content: bytes, labels: list[str]) -> tuple[str, str, str | None]:
    """Decode bytes that are no clean UTF-8."""
    lossy = content.decode("utf-8", "replace")
    bad = lossy.count("\ufffd")
    if labels[:1] in ([], ["utf-8"]) and bad * 20 <= _beyond_ascii(lossy) - bad:
        return lossy, "utf-8", f"{bad} broken characters."
    others = [each for each in labels if not each.startswith(("utf-8", "utf-16"))]
    for label in others:
        with suppress(UnicodeDecodeError, LookupError):
            return content.decode(label), label, None
    for label in others:
        text = content.decode(label, "replace")
        if label != "cp1252" and text.count("\ufffd") * 100 < _beyond_ascii(text):
            return text, label, f"Some bytes are no {label}."
    guess = _guess(content)
    note = f"Declared as {labels[0]}, read as {guess}." if labels else f"Read as {guess}."
    return content.decode(guess, "replace"), guess, note


def _beyond_ascii(text: str) -> int:
    return sum(char > "\x7f" for char in text)


def _guess(content: bytes) -> str:
    """A code page by the page's language, else by its bytes that are not ASCII; Western when unsure."""
    language = _LANGUAGE.search(content[:4096])
    usual = _LANGUAGE_PAGES.get(language[1].decode().lower()) if language else None
    if usual and "\ufffd" not in content[:400_000].decode(usual, "replace"):
        return usual
    pieces = re.findall(rb"[^\x00-\x7f<>]{1,2000}[\x20-\x3b\x3f-\x7e]{0,40}", content[:400_000])
    sample = b" ".join(pieces)[:12_000]
    high = sum(1 for byte in sample if byte > 0x7F)
    # Western text has single accents between ASCII letters; other scripts are mostly high bytes.
    if high * 3 < len(sample):
        return "cp1252"
    best = from_bytes(sample, cp_isolation=_CODE_PAGES, enable_fallback=False).best()
    return best.encoding if best else "cp1252"


def _utf16_without_mark(content: bytes) -> str | None:
    head = content[:400]
    if len(head) < 20 or head.count(0) * 3 < len(head):
        return None
    odd, even = head[1::2].count(0), head[::2].count(0)
    if odd > 4 * even:
        return "utf-16-le"
    return "utf-16-be" if even > 4 * odd else None


def _declared_inside(content: bytes) -> str | None:
    head = content[:4096]
    found = _META_CHARSET.search(head) or _XML_CHARSET.search(head)
    label = _known(found[1].decode("ascii", "replace")) if found else None
    # A declaration that could be read as ASCII cannot be UTF-16.
    return "utf-8" if label and label.startswith(("utf-16", "utf-32")) else label


def _known(label: str | None) -> str | None:
    """Python's name of a label, or None for an unknown one."""
    if not label:
        return None
    name = label.strip(" \"';").lower()
    name = _LABELS.get(name, name)
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    return found.name if found._is_text_encoding else None
