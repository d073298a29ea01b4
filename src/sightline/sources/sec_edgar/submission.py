"""Full submission texts: the SGML header and the documents inside."""

import re
from dataclasses import dataclass
from typing import Final

_DOCUMENT = re.compile(rb"<DOCUMENT>(?P<body>.*?)(?:</DOCUMENT>|(?=<DOCUMENT>)|\Z)", re.S)
_FIELD = re.compile(rb"^<(?P<name>TYPE|SEQUENCE|FILENAME|DESCRIPTION)>(?P<value>[^\r\n]*)", re.M)
_TEXT = re.compile(rb"<TEXT>(?P<text>.*?)(?:</TEXT>|\Z)", re.S)
_WRAPPER = re.compile(rb"\A\s*<(?:XBRL|XML|PDF)>|</(?:XBRL|XML|PDF)>\s*\Z")
_HEADER_END: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class SubmissionDocument:
    """One <DOCUMENT> of a submission; `content` is what stands between its TEXT tags."""

    type: str
    sequence: int
    filename: str
    description: str
    content: bytes


@dataclass(frozen=True, slots=True)
class SubmissionHeader:
    """What the SGML header says of the whole. Absent values are None; dates are YYYYMMDD."""

    form: str | None
    accession: str | None
    filed: str | None
    period: str | None
    company: str | None
    cik: str | None
    sic: str | None
    state: str | None
    items: tuple[str, ...]


def is_submission(content: bytes) -> bool:
    """Whether the bytes hold SGML documents: they are looked for at the beginning only."""
    return b"<DOCUMENT>" in content[:_HEADER_END] or b"<SEC-HEADER>" in content[:_HEADER_END]


def documents_of(content: bytes) -> tuple[SubmissionDocument, ...]:
    """All documents, in their order."""
    found = []
    for place, match in enumerate(_DOCUMENT.finditer(content), start=1):
        body = match["body"]
        head, mark, _ = body.partition(b"<TEXT>")
        fields = {
            field["name"]: field["value"].decode("latin-1").strip()
            for field in _FIELD.finditer(head)
        }
        text = _TEXT.search(body) if mark else None
        inner = _WRAPPER.sub(b"", text["text"]) if text else b""
        number = fields.get(b"SEQUENCE", "")
        found.append(
            SubmissionDocument(
                fields.get(b"TYPE", ""),
                int(number) if number.isdecimal() else place,
                fields.get(b"FILENAME", ""),
                fields.get(b"DESCRIPTION", ""),
                inner,
            )
        )
    return tuple(found)


def header_of(content: bytes) -> SubmissionHeader | None:
    """The header of a submission, of the first filer where there are several."""
    end = content.find(b"<DOCUMENT>")
    head = content[: end if end >= 0 else _HEADER_END].decode("latin-1")
    if "CONFORMED SUBMISSION TYPE" not in head and "<SEC-HEADER>" not in head:
        return None

    def value(label: str) -> str | None:
        found = re.search(rf"^\s*{label}:[ \t]*(\S.*?)\s*$", head, re.M)
        return found[1] if found else None

    sic = re.search(r"STANDARD INDUSTRIAL CLASSIFICATION:[^\n]*?\[?(\d{4})\]?", head)
    return SubmissionHeader(
        form=value("CONFORMED SUBMISSION TYPE"),
        accession=value("ACCESSION NUMBER"),
        filed=value("FILED AS OF DATE"),
        period=value("CONFORMED PERIOD OF REPORT"),
        company=value("COMPANY CONFORMED NAME"),
        cik=value("CENTRAL INDEX KEY"),
        sic=sic[1] if sic else None,
        state=value("STATE OF INCORPORATION"),
        items=tuple(re.findall(r"^\s*ITEM INFORMATION:[ \t]*(\S.*?)\s*$", head, re.M)),
    )


def main_document(
    documents: tuple[SubmissionDocument, ...], form: str | None
) -> SubmissionDocument | None:
    """The document that is the filing itself: of the submission's form, else the first with text."""
    readable = [each for each in documents if each.content.strip() and not _is_binary(each)]
    wanted = (form or "").upper()
    for each in readable:
        if wanted and each.type.upper() == wanted:
            return each
    return readable[0] if readable else None


def _is_binary(document: SubmissionDocument) -> bool:
    kind = document.type.upper()
    name = document.filename.lower()
    return kind in {"GRAPHIC", "ZIP", "EXCEL", "PDF"} or name.endswith(
        (".jpg", ".gif", ".png", ".pdf", ".zip", ".xlsx", ".xsd")
    )
