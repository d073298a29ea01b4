"""A Model Context Protocol server: tools, company resources and prompts."""

import json
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import mcp.types as types
from mcp.server import Server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from sightline.mcp.answers import bounded
from sightline.mcp.doors import Door, OperationFailed
from sightline.mcp.prompts import PROMPTS
from sightline.mcp.tools import MOST_ROWS, TOOLS
from sightline.profile.brief_markdown import markdown

INSTRUCTIONS: Final = (
    "Sightline holds account intelligence: company records, signals, postings, contacts and the public "
    "documents they were read in. Begin with find_accounts; most tools take the company_id it answers. "
    "Every value has a source and every statement a quote: cite them. What is not found was not found."
)
_COMPANY: Final = "sightline://companies/"
_TOOLS: Final = {tool.name: tool for tool in TOOLS}
_PROMPTS: Final = {prompt.name: prompt for prompt in PROMPTS}
Context = Any


def build_server(door: Door, *, version: str) -> Server[Any]:
    """The server of one client. Its tools run through `door`."""
    handlers = _Handlers(door)
    return Server(
        "sightline",
        version=version,
        title="Sightline",
        instructions=INSTRUCTIONS,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
    )


@dataclass(frozen=True)
class _Handlers:
    """What the protocol's requests are answered with."""

    door: Door

    async def list_tools(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(name) for name in _TOOLS])

    async def call_tool(
        self, _: Context, asked: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = _TOOLS.get(asked.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {asked.name!r}.")
        try:
            given = tool.input.model_validate(asked.arguments or {})
            answer = bounded(await tool.call(self.door, given))
        except ValidationError as error:
            return _failed(_faults(error))
        except OperationFailed as failure:
            return _failed(str(failure))
        text = json.dumps(answer, ensure_ascii=False)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)], structured_content=answer
        )

    async def list_resources(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        found = await _run(
            self.door, "search_accounts", body={"per_page": MOST_ROWS, "sort": "-updated_at"}
        )
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=f"{_COMPANY}{item['company_id']}/brief",
                    name=item["company_name"],
                    description=f"Brief of {item['company_name']}",
                    mime_type="text/markdown",
                )
                for item in found.get("items", found.get("accounts", []))
            ]
        )

    async def list_templates(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=f"{_COMPANY}{{company_id}}",
                    name="company",
                    description="The record of a company",
                    mime_type="application/json",
                ),
                types.ResourceTemplate(
                    uri_template=f"{_COMPANY}{{company_id}}/brief",
                    name="brief",
                    description="One page about a company for a call",
                    mime_type="text/markdown",
                ),
                types.ResourceTemplate(
                    uri_template=f"{_COMPANY}{{company_id}}/documents/{{document_id}}{{?start}}",
                    name="document",
                    description="Text of a filing, page or article that search_evidence names, in parts",
                    mime_type="application/json",
                ),
            ]
        )

    async def read_resource(
        self, _: Context, asked: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(asked.uri)
        part = _part_of(uri)
        if part is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no resource {uri}.")
        name, path, query = part
        found = await _run(self.door, name, path=path, query=query)
        is_brief = name == "read_brief"
        text = markdown(found) if is_brief else json.dumps(bounded(found), ensure_ascii=False)
        kind = "text/markdown" if is_brief else "application/json"
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, mime_type=kind, text=text)]
        )

    async def list_prompts(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=prompt.name,
                    title=prompt.title,
                    description=prompt.description,
                    arguments=[
                        types.PromptArgument(name=name, description=text, required=True)
                        for name, text in prompt.arguments
                    ],
                )
                for prompt in PROMPTS
            ]
        )

    async def get_prompt(
        self, _: Context, asked: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        prompt = _PROMPTS.get(asked.name)
        if prompt is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no prompt {asked.name!r}.")
        given = asked.arguments or {}
        missing = [name for name, _text in prompt.arguments if not given.get(name)]
        if missing:
            raise MCPError(types.INVALID_PARAMS, f"The prompt needs {', '.join(missing)}.")
        text = prompt.text.format(**{name: given[name] for name, _text in prompt.arguments})
        return types.GetPromptResult(
            description=prompt.description,
            messages=[
                types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
            ],
        )


def _described(name: str) -> types.Tool:
    tool = _TOOLS[name]
    return types.Tool(
        name=name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input.model_json_schema(),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=not tool.changes,
            destructive_hint=False,
            idempotent_hint=not tool.changes,
            open_world_hint=name == "enrich_company",
        ),
    )


async def _run(door: Door, name: str, **asked: Any) -> Any:
    """An operation behind a resource, whose failure is one of the protocol."""
    try:
        return await door.run(name, **asked)
    except OperationFailed as failure:
        raise MCPError(types.INVALID_PARAMS, str(failure)) from failure


def _failed(message: str) -> types.CallToolResult:
    """What went wrong, for the model to read and mend."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=message)], is_error=True
    )


def _faults(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    named = (f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults[:5])
    return "The arguments are not valid. " + "; ".join(named)


def _part_of(uri: str) -> tuple[str, dict[str, str], dict[str, str]] | None:
    """The operation that reads a resource, its path and query; None where there is no such resource."""
    address, _, asked = uri.partition("?")
    company_id, *rest = address.removeprefix(_COMPANY).split("/")
    if not uri.startswith(_COMPANY) or not _is_uuid(company_id):
        return None
    path = {"company_id": company_id}
    match rest:
        case []:
            return "read_company", path, {}
        case ["brief"]:
            return "read_brief", path, {}
        case ["documents", document_id] if _is_uuid(document_id):
            start = asked.removeprefix("start=") or "0"
            return "read_document", path | {"document_id": document_id}, {"start": start}
    return None


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
