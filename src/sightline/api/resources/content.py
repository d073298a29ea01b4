"""Content about companies, composed from proven evidence or written by a person; templates, settings."""

import json
from functools import partial
from typing import Any
from uuid import UUID

from sightline.api.asked_company import asked_company
from sightline.api.composing import PRICE, write_text
from sightline.api.content_schemas import (
    ContentChange,
    ContentItem,
    ContentList,
    ContentPage,
    NewContent,
    NewSetting,
    NewTemplate,
    Setting,
    SettingChange,
    Template,
    TemplateChange,
)
from sightline.api.endpoint import (
    Call,
    DeferredReply,
    Endpoint,
    PricedParameters,
    Reply,
    Schema,
    deleted,
    json_reply,
    one,
)
from sightline.api.paging import PageParameters, list_reply, page_of, read_list
from sightline.api.pricing import credit_headers, dry_run_reply
from sightline.api.reserving import Hold
from sightline.api.schemas import Deleted
from sightline.domain.credits import Price, price_of
from sightline.domain.errors import (
    ContentDoesNotExist,
    NameIsTaken,
    NothingToWrite,
    RequestIsInvalid,
    fault,
)
from sightline.profile.content import Composed, PlaceholderIsUnknown, check_template
from sightline.store import content as store
from sightline.store.content import Kind


async def list_content(call: Call) -> Reply:
    asked: ContentList = call.params
    company_id = await asked_company(call)
    page = partial(store.content_page, call.tenant, company_id, content_type=asked.content_type)
    items, described = await read_list(
        call.caller, asked, page, bound_to=("content", company_id, asked.content_type)
    )
    return Reply(f'{{"contacts":{items},"pagination":{json.dumps(described)}}}'.encode())


async def create(call: Call) -> Reply | DeferredReply:
    asked: NewContent = call.body
    company_id = await asked_company(call)
    price = price_of(PRICE, call.caller.costs)
    if asked.content is not None:
        price = Price(price.credit, 0)
    if call.params.dry_run:
        return await dry_run_reply(call, price)
    template = await _kept(call, "template", asked.ref_content_template_id)
    setting = await _kept(call, "setting", asked.content_setting_id)
    keep = partial(_add, company_id=company_id)
    if asked.content is not None:
        text = Composed(asked.title or "", asked.content, ())
        return await keep(call, text=text, method="written")
    return await write_text(
        call, company_id, asked.content_type, keep, template=template, setting=setting
    )


async def _add(
    call: Call, *, text: Composed, method: str, company_id: UUID, held: Hold | None = None
) -> Reply:
    """Write a text down, and charge what is held for it."""
    asked: NewContent = call.body
    charged = Price(price_of(PRICE, call.caller.costs).credit, 0)
    if held is not None:
        await held.settle(call.tenant)
        charged = held.price
    content_id = await store.add_content(
        call.tenant,
        company_id=company_id,
        content_type=asked.content_type,
        title=asked.title or text.title or asked.content_type.replace("_", " "),
        body=text.body,
        method=method,
        sources=text.sources,
        template_id=asked.ref_content_template_id,
        setting_id=asked.content_setting_id,
        created_by=call.caller.user_id,
    )
    reply = await _content(call, content_id)
    return Reply(reply.body, status=201, headers=await credit_headers(call, charged))


async def read(call: Call) -> Reply:
    return await _content(call, call.params.content_id)


async def change(call: Call) -> Reply:
    asked: ContentChange = call.body
    content_id = call.params.content_id
    found = await store.update_content(
        call.tenant, content_id, title=asked.title, body=asked.content
    )
    if not found:
        raise ContentDoesNotExist()
    return await _content(call, content_id)


async def delete(call: Call) -> Reply:
    content_id = call.params.content_id
    found = await store.delete_content(call.tenant, content_id)
    return deleted(found, ContentDoesNotExist, content_id)


async def list_kept(call: Call, *, kind: Kind) -> Reply:
    page = partial(store.kept(kind).page, call.tenant)
    return await list_reply(call, page, kind)


async def save_kept(call: Call, *, kind: Kind) -> Reply:
    """Create (no id in the path) or change a template or a setting."""
    kept_id = getattr(call.params, f"{kind}_id", None)
    values = call.body.model_dump(exclude_unset=kept_id is not None)
    if nulls := [fault(name, "Must not be null.") for name, v in values.items() if v is None]:
        raise RequestIsInvalid(f"{nulls[0]['path']}: Must not be null.", fields=nulls)
    if "body" in values:
        try:
            check_template(values["body"])
        except PlaceholderIsUnknown as error:
            raise RequestIsInvalid.at("body", str(error)) from error
    saved = await store.save_kept(call.tenant, kind, kept_id, values)
    if saved is None:
        raise ContentDoesNotExist(f"There is no such {kind}.")
    body = await store.kept(kind).one(call.tenant, saved)
    assert body is not None
    return Reply(body.encode(), status=200 if kept_id else 201)


async def read_kept(call: Call, *, kind: Kind) -> Reply:
    kept_id = getattr(call.params, f"{kind}_id")
    body = await store.kept(kind).one(call.tenant, kept_id)
    if body is None:
        raise ContentDoesNotExist(f"There is no such {kind}.")
    return Reply(body.encode())


async def delete_kept(call: Call, *, kind: Kind) -> Reply:
    kept_id = getattr(call.params, f"{kind}_id")
    if not await store.kept(kind).delete(call.tenant, kept_id):
        raise ContentDoesNotExist(f"There is no such {kind}.")
    return json_reply({"deleted": True, "id": str(kept_id)})


async def _kept(call: Call, kind: Kind, kept_id: UUID | None) -> dict[str, Any] | None:
    if kept_id is None:
        return None
    found = await store.find_kept(call.tenant, kind, kept_id)
    if found is None:
        path = "ref_content_template_id" if kind == "template" else "content_setting_id"
        raise RequestIsInvalid.at(path, f"There is no such {kind}.")
    return found


async def _content(call: Call, content_id: UUID) -> Reply:
    return one(await store.read_content(call.tenant, content_id), ContentDoesNotExist)


def _endpoint(method: Any, path: str, name: str, summary: str, **more: Any) -> Endpoint:
    return Endpoint(
        method=method,
        path=path,
        name=name,
        summary=summary,
        tag="Content",
        scopes=("insights:read",) if method == "GET" else ("insights:write",),
        **more,
    )


def _kept_endpoints(
    kind: Kind, new: type[Schema], changed: type[Schema], kept: type[Schema]
) -> tuple[Endpoint, ...]:
    base, one_path = f"/content/{kind}s", f"/content/{kind}s/{{{kind}_id}}"
    return (
        _endpoint(
            "GET", base, f"list_content_{kind}s", f"Your content {kind}s, by name",
            params=PageParameters, answer=page_of(kept), snapshot=True,
            handler=partial(list_kept, kind=kind),
        ),
        _endpoint(
            "POST", base, f"create_content_{kind}", f"Create a content {kind}",
            body=new, answer=kept, status=201, errors=(NameIsTaken,),
            handler=partial(save_kept, kind=kind),
        ),
        _endpoint(
            "GET", one_path, f"read_content_{kind}", f"Read one content {kind}",
            answer=kept, handler=partial(read_kept, kind=kind),
        ),
        _endpoint(
            "PATCH", one_path, f"update_content_{kind}", f"Change a content {kind}",
            body=changed, answer=kept,
            errors=(NameIsTaken,), handler=partial(save_kept, kind=kind),
        ),
        _endpoint(
            "DELETE", one_path, f"delete_content_{kind}",
            f"Delete a content {kind}; content made with it stays",
            answer=Deleted, handler=partial(delete_kept, kind=kind),
        ),
    )  # fmt: skip


ENDPOINTS = (
    _endpoint(
        "GET", "/companies/{company_id}/content", "list_content",
        "Content about a company, newest first",
        params=ContentList, answer=ContentPage,
        snapshot=True, handler=list_content,
    ),
    _endpoint(
        "POST", "/companies/{company_id}/content", "create_content",
        "Compose content about a company from its evidence, or store your own",
        params=PricedParameters, body=NewContent, answer=ContentItem,
        status=201, errors=(NothingToWrite,), price=PRICE, handler=create,
    ),
    *_kept_endpoints("template", NewTemplate, TemplateChange, Template),
    *_kept_endpoints("setting", NewSetting, SettingChange, Setting),
    _endpoint(
        "GET", "/content/{content_id}", "read_content", "Read one piece of content",
        answer=ContentItem, handler=read,
    ),
    _endpoint(
        "PATCH", "/content/{content_id}", "update_content", "Change a piece of content",
        body=ContentChange, answer=ContentItem,
        handler=change,
    ),
    _endpoint(
        "DELETE", "/content/{content_id}", "delete_content", "Delete a piece of content",
        answer=Deleted, handler=delete,
    ),
)  # fmt: skip
