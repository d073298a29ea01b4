"""Full submission texts: the SGML header and the documents inside."""

import re
from dataclasses import dataclass
from typing import Final

_FIELD = re.compile(rb"^<(?P<name>TYPE|FILENAME)>(?P<value>[^\r\n]*)", re.M)
_WRAPPER = re.compile(rb"\A\s*<(?:XBRL|XML|PDF)>|</(?:XBRL|XML|PDF)>\s*\Z")
_STATED_FORM = re.compile(rb"^[ \t]*CONFORMED SUBMISSION TYPE:[ \t]*(\S[^\r\n]*)", re.M)
_HEADER_END: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class SubmissionDocument:
    """One <DOCUMENT> of a submission; `content` is what stands between its TEXT tags."""

    type: str
    filename: str
    content: bytes


def is_submission(content: bytes) -> bool:
    """Whether the bytes hold SGML documents: they are looked for at the beginning only."""
    return b"<DOCUMENT>" in content[:_HEADER_END] or b"<SEC-HEADER>" in content[:_HEADER_END]


def documents_of(content: bytes) -> tuple[SubmissionDocument, ...]:
    """All documents, in their order."""
    found = []
    for part in content.split(b"<DOCUMENT>")[1:]:
        head, _, text = part.partition(b"</DOCUMENT>")[0].partition(b"<TEXT>")
        fields = {
            field["name"]: field["value"].decode("latin-1").strip()
            for field in _FIELD.finditer(head)
        }
        inner = _WRAPPER.sub(b"", text.partition(b"</TEXT>")[0])
        named = fields.get(b"TYPE", ""), fields.get(b"FILENAME", "")
        found.append(SubmissionDocument(*named, inner))
    return tuple(found)


def form_stated(content: bytes) -> str | None:
    """The form that the SGML header of a submission names."""
    end = content.find(b"<DOCUMENT>")
    found = _STATED_FORM.search(content[: end if end >= 0 else _HEADER_END])
    return found[1].decode("latin-1").rstrip() if found else None


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
