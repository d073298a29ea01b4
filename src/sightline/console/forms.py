"""Reading what a form sends."""

from typing import Final
from urllib.parse import parse_qsl

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Message

from sightline.console.page import FileIsTooLarge, Form, FormIsInvalid

MOST_BYTES: Final = 64 * 1024
MOST_UPLOAD: Final = 100_000_000
MOST_FIELDS: Final = 500


async def read_form(request: Request) -> Form:
    """The fields of a form; `[name]` is the last of a name. Raises FormIsInvalid.

    A browser says where a request comes from; one from another site is refused whatever it holds.
    """
    _check_origin(request)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("", "application/x-www-form-urlencoded"):
        raise FormIsInvalid
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise FormIsInvalid
    try:
        pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise FormIsInvalid from error
    return Form([(name, value.replace("\x00", "")) for name, value in pairs])


async def read_upload(request: Request) -> tuple[Form, UploadFile]:
    """The fields of a form that sends a file, and the file. Raises FormIsInvalid, FileIsTooLarge."""
    _check_origin(request)
    received = 0

    async def receive() -> Message:
        nonlocal received
        message = await request.receive()
        received += len(message.get("body", b""))
        if received > MOST_UPLOAD:
            raise FileIsTooLarge
        return message

    limited = Request(request.scope, receive)
    try:
        given = await limited.form(max_files=1, max_fields=MOST_FIELDS)
    except HTTPException as error:
        raise FormIsInvalid from error
    fields = [(name, value) for name, value in given.multi_items() if isinstance(value, str)]
    files = [value for value in given.values() if isinstance(value, UploadFile)]
    if not files:
        raise FormIsInvalid
    return Form(fields), files[0]


def is_upload(request: Request) -> bool:
    """Whether the body of a form may hold a file."""
    return request.headers.get("content-type", "").startswith("multipart/form-data")


def _check_origin(request: Request) -> None:
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise FormIsInvalid
