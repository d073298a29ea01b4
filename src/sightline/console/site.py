"""The console: server-rendered pages next to the API. It shows data and decides nothing."""

import gzip
import hmac
import time
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache
from typing import Any, Final

import structlog
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route, Router

from sightline.console.door import COOKIE
from sightline.console.failures import failure_page
from sightline.console.forms import is_upload, read_form, read_upload
from sightline.console.page import (
    ConsoleServices,
    Form,
    FormIsInvalid,
    Moved,
    NothingHere,
    Shown,
    Visit,
)
from sightline.console.pages import (
    account_edit,
    accounts,
    alerts,
    ask,
    audit,
    bulk,
    channels,
    company,
    company_evidence,
    connections,
    contacts,
    credits,
    crm,
    design,
    find,
    find_people,
    home,
    imports,
    integrations,
    keys,
    lists,
    notes,
    operations,
    preferences,
    privacy,
    search,
    selling,
    settings,
    sign_in_settings,
    sources,
    territories,
    timeline,
    users,
    watches,
    webhooks,
)
from sightline.console.render import FOLDER
from sightline.console.responses import HEADERS, HOME, SIGN_IN, cookie_name, html, is_https
from sightline.console.second_step import SecondStep
from sightline.console.signing import Signing
from sightline.console.viewer import VIEWER, viewer_of
from sightline.kit.ids import new_id
from sightline.store.alerts import count_new_alerts
from sightline.store.console_sessions import Session, find_session
from sightline.store.console_views import list_views

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Page = Callable[[Visit], Awaitable[Shown | Moved | Response]]

log = structlog.get_logger()

# THE TABLE: method, path below /console, name, page.
PAGES: Final[tuple[tuple[str, str, str, Page], ...]] = (
    ("GET", "/home", "home", home.show),
    ("POST", "/sample", "home", home.change_sample),
    ("GET", "/accounts", "accounts", accounts.show),
    ("POST", "/accounts", "accounts", accounts.save),
    ("GET", "/accounts/new", "accounts", operations.new),
    ("POST", "/accounts/new", "accounts", operations.submit_company),
    ("POST", "/accounts/bulk", "accounts", bulk.act),
    ("POST", "/views/{view_id}", "accounts", accounts.forget),
    ("GET", "/imports", "imports", imports.show),
    ("GET", "/imports/new", "imports", imports.new),
    ("POST", "/imports/new", "imports", imports.upload),
    ("GET", "/imports/uploads/{upload_id}", "imports", imports.detail),
    ("POST", "/imports/uploads/{upload_id}", "imports", imports.change),
    ("GET", "/imports/uploads/{upload_id}/problems", "imports", imports.problems),
    ("POST", "/imports/{import_id}/undo", "imports", imports.undo),
    ("GET", "/lists", "lists", lists.show),
    ("POST", "/lists", "lists", lists.create),
    ("POST", "/lists/{list_id}", "lists", lists.change),
    ("GET", "/companies/{company_id}", "company", company.overview),
    ("GET", "/companies/{company_id}/record", "company", company.record),
    ("GET", "/companies/{company_id}/profile", "company", company.profile),
    ("GET", "/companies/{company_id}/signals", "company", company.signals),
    ("GET", "/companies/{company_id}/jobs", "company", company.jobs),
    ("GET", "/companies/{company_id}/technologies", "company", company.technologies),
    ("GET", "/companies/{company_id}/people", "company", company.people),
    ("GET", "/companies/{company_id}/activity", "company", company_evidence.activity),
    ("GET", "/companies/{company_id}/financials", "company", company_evidence.financials),
    ("GET", "/companies/{company_id}/logo", "company", company_evidence.logo),
    ("GET", "/companies/{company_id}/documents", "company", company_evidence.documents),
    (
        "GET",
        "/companies/{company_id}/documents/{document_id}",
        "company",
        company_evidence.document,
    ),
    ("POST", "/companies/{company_id}/record", "company", company.change_record),
    ("GET", "/companies/{company_id}/people/find", "company", find_people.show),
    ("POST", "/companies/{company_id}/people/find", "company", find_people.find),
    ("POST", "/companies/{company_id}/notes", "company", notes.change),
    ("GET", "/companies/{company_id}/ask", "company", ask.show),
    ("POST", "/companies/{company_id}/ask", "company", ask.ask),
    ("GET", "/companies/{company_id}/edit", "company", account_edit.show),
    ("POST", "/companies/{company_id}/edit", "company", account_edit.save),
    ("GET", "/contacts", "contacts", contacts.show),
    ("GET", "/contacts/new", "contacts", contacts.new),
    ("POST", "/contacts/new", "contacts", contacts.create),
    ("POST", "/contacts/export", "contacts", contacts.export),
    ("GET", "/contacts/{contact_id}", "contacts", contacts.edit),
    ("POST", "/contacts/{contact_id}", "contacts", contacts.change),
    ("GET", "/search", "search", search.show),
    ("POST", "/search", "search", search.ask),
    ("GET", "/documents/{document_id}", "search", company_evidence.cited),
    ("GET", "/find", "search", find.show),
    ("GET", "/timeline", "timeline", timeline.show),
    ("GET", "/operations", "operations", operations.show),
    ("POST", "/operations", "operations", operations.submit_company),
    ("GET", "/operations/{operation_id}", "operations", operations.detail),
    ("POST", "/operations/{operation_id}", "operations", operations.change),
    ("GET", "/alerts", "alerts", alerts.show),
    ("POST", "/alerts/{alert_id}", "alerts", alerts.change),
    ("GET", "/watches", "watches", watches.show),
    ("GET", "/watches/new", "watches", watches.new),
    ("POST", "/watches/new", "watches", watches.save),
    ("POST", "/watches/{watch_id}", "watches", watches.change),
    ("GET", "/watches/{watch_id}/channels", "watches", channels.show),
    ("POST", "/watches/{watch_id}/channels", "watches", channels.change),
    ("GET", "/territories", "territories", territories.show),
    ("GET", "/territories/new", "territories", territories.new),
    ("POST", "/territories/new", "territories", territories.create),
    ("GET", "/territories/{territory_id}", "territories", territories.detail),
    ("POST", "/territories/{territory_id}", "territories", territories.change),
    ("GET", "/territories/{territory_id}/edit", "territories", territories.edit),
    ("POST", "/territories/{territory_id}/edit", "territories", territories.update),
    ("GET", "/credits", "credits", credits.show),
    ("GET", "/sources", "sources", sources.show),
    ("GET", "/settings", "settings", settings.show),
    ("POST", "/settings", "settings", settings.rename),
    ("GET", "/settings/keys", "settings", keys.show),
    ("POST", "/settings/keys", "settings", keys.create),
    ("POST", "/settings/keys/{key_id}", "settings", keys.change),
    ("GET", "/settings/users", "settings", users.show),
    ("POST", "/settings/users", "settings", users.invite),
    ("POST", "/settings/users/{user_id}", "settings", users.change),
    ("GET", "/settings/webhooks", "settings", webhooks.show),
    ("POST", "/settings/webhooks", "settings", webhooks.create),
    ("GET", "/settings/webhooks/{webhook_id}", "settings", webhooks.detail),
    ("POST", "/settings/webhooks/{webhook_id}", "settings", webhooks.change),
    ("GET", "/settings/integrations", "settings", integrations.show),
    ("POST", "/settings/integrations/{integration_id}", "settings", integrations.change),
    ("GET", "/settings/integrations/{integration_id}", "settings", connections.show),
    (
        "POST",
        "/settings/integrations/{integration_id}/connection",
        "settings",
        connections.change,
    ),
    ("GET", "/settings/integrations/{integration_id}/return", "settings", connections.come_back),
    ("POST", "/settings/integrations/{integration_id}/settings", "settings", crm.change),
    ("POST", "/settings/integrations/{integration_id}/runs", "settings", crm.start),
    ("GET", "/settings/integrations/{integration_id}/runs/{run_id}", "settings", crm.run),
    ("GET", "/settings/privacy", "settings", privacy.show),
    ("POST", "/settings/privacy", "settings", privacy.add),
    ("POST", "/settings/privacy/{suppression_id}", "settings", privacy.lift),
    ("GET", "/settings/audit", "settings", audit.show),
    ("GET", "/settings/usage", "settings", audit.usage),
    ("GET", "/settings/selling", "settings", selling.show),
    ("POST", "/settings/selling", "settings", selling.change),
    ("GET", "/settings/sign-in", "settings", sign_in_settings.show),
    ("POST", "/settings/sign-in", "settings", sign_in_settings.change),
    ("GET", "/preferences", "preferences", preferences.show),
    ("POST", "/preferences", "preferences", preferences.change),
    ("GET", "/design", "design", design.show),
)
TAKES_FILES: Final = ("/imports/new",)
# Among how many of the latest alerts the new ones are counted, on each page.
_LATEST_ALERTS: Final = 1_000
_ASSETS: Final = {
    "tokens.css": "text/css",
    "console.css": "text/css",
    "components.css": "text/css",
    "pages.css": "text/css",
    "tables.css": "text/css",
    "console.js": "text/javascript",
    "tables.js": "text/javascript",
    "keys.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
_YEAR: Final = 365 * 86_400  # seconds


def create_console(services: ConsoleServices) -> Callable[[Scope, Receive, Send], Awaitable[None]]:
    """The console of one process; it answers `/` and everything below `/console`."""
    signing, second_step = Signing(services), SecondStep(services)
    routes = [_route(services, *row) for row in PAGES]
    for method, path, handler in (
        ("GET", "/sign-in", signing.form),
        ("POST", "/sign-in", signing.sign_in),
        ("GET", "/sign-in/code", second_step.form),
        ("POST", "/sign-in/code", second_step.check),
        ("GET", "/link/{token}", signing.link),
        ("POST", "/link", signing.use_link),
        ("POST", "/sign-out", signing.sign_out),
    ):
        routes.append(Route(f"/console{path}", handler, methods=[method]))
    if services.provider is not None:
        # Its library takes a fifth of a second to load, and most installations have no provider.
        from sightline.console.sign_on import sign_on_routes

        routes += sign_on_routes(services, services.provider)
    routes += [
        Route("/", _home, methods=["GET"]),
        Route("/console", _home, methods=["GET"]),
        Route("/console/", _home, methods=["GET"]),
        Route("/console/static/{name}", _asset, methods=["GET"]),
    ]
    return _Frame(Router(routes, redirect_slashes=False, default=_nothing))


def secured(scope: Scope, send: Send, *, trust_proxy: bool) -> Send:
    """Tell a browser that came over HTTPS to come no other way for a year."""
    plain = scope["type"] != "http" or (scope["scheme"] != "https" and not trust_proxy)
    if plain or not is_https(Request(scope), trust_proxy=trust_proxy):
        return send

    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            header = (b"strict-transport-security", b"max-age=31536000")
            message["headers"] = [*message["headers"], header]
        await send(message)

    return sending


def is_ours(path: str) -> bool:
    """Whether a path belongs to the console."""
    return path in ("/", "/console") or path.startswith("/console/")


def _route(services: ConsoleServices, method: str, path: str, name: str, page: Page) -> Route:
    async def answer(request: Request) -> Response:
        cookie = cookie_name(request, COOKIE, trust_proxy=services.trust_proxy)
        session = await find_session(services.database, request.cookies.get(cookie, ""))
        if session is None:
            return RedirectResponse(SIGN_IN, 303)
        form, upload = Form(), None
        if method == "POST":
            if path in TAKES_FILES and is_upload(request):
                form, upload = await read_upload(request)
            else:
                form = await read_form(request)
            if not hmac.compare_digest(form.get("csrf", "").encode(), session.csrf.encode()):
                if upload is not None:
                    await upload.close()
                raise FormIsInvalid
        visit = Visit(request, session, services, form, upload)
        try:
            reply = await page(visit)
        finally:
            if upload is not None:
                await upload.close()
        if isinstance(reply, Response):
            return reply
        if isinstance(reply, Moved):
            return _moved(request, services, reply)
        frame = {
            "session": session,
            "here": name,
            **await _beside(services, session),
            "notice": request.query_params.get("notice", ""),
            "back": request.url.path + (f"?{request.url.query}" if request.url.query else ""),
            "is_admin": visit.is_admin,
            "given": form if reply.values.get("error") else {},
        }
        return html(reply.template, frame | dict(reply.values), reply.status)

    return Route(f"/console{path}", answer, methods=[method])


def _moved(request: Request, services: ConsoleServices, reply: Moved) -> Response:
    joined = "&" if "?" in reply.to else "?"
    to = f"{reply.to}{joined}notice={reply.notice}" if reply.notice else reply.to
    answer = RedirectResponse(to, 303)
    for name, value in reply.cookies.items():
        answer.set_cookie(
            name,
            value,
            max_age=_YEAR,
            path="/console",
            secure=is_https(request, trust_proxy=services.trust_proxy),
            samesite="lax",
        )
    return answer


async def _beside(services: ConsoleServices, session: Session) -> dict[str, Any]:
    """What the sidebar of every page counts and lists."""
    async with services.database.tenant(session.organization_id) as connection:
        return {
            "new_alerts": await count_new_alerts(connection, among=_LATEST_ALERTS),
            "saved_views": await list_views(connection),
        }


async def _home(_: Request) -> Response:
    return RedirectResponse(HOME, 303)


async def _asset(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _ASSETS:
        raise NothingHere
    kept = f"public, max-age={_YEAR}, immutable" if "v" in request.query_params else "no-cache"
    headers = {"cache-control": kept, "vary": "accept-encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return FileResponse(FOLDER / "static" / name, media_type=_ASSETS[name], headers=headers)
    headers["content-encoding"] = "gzip"
    changed_at = (FOLDER / "static" / name).stat().st_mtime_ns
    return Response(_packed(name, changed_at), media_type=_ASSETS[name], headers=headers)


@lru_cache(maxsize=32)
def _packed(name: str, _changed_at: int) -> bytes:
    """A static file, compressed. Pages are not: they hold a token beside what others wrote (BREACH)."""
    return gzip.compress((FOLDER / "static" / name).read_bytes(), mtime=0)


async def _nothing(*_: Any) -> None:
    raise NothingHere


class _Frame:
    """Outermost layer: headers of every answer, a log line without secrets, a page for each failure."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self  # without an "app" Starlette's routes answer a wrong method themselves
        seen = VIEWER.set(viewer_of(Request(scope).cookies))
        started, status = time.perf_counter(), 0
        request_id = str(new_id())

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                sent = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    (b"x-request-id", request_id.encode()),
                    *(
                        (name.encode(), value.encode())
                        for name, value in HEADERS.items()
                        if name.encode() not in sent
                    ),
                ]
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except Exception as error:
            if status:
                raise  # the answer is under way; the server closes the connection
            await failure_page(error)(scope, receive, send_with_headers)
        finally:
            VIEWER.reset(seen)
            # Neither path nor query: a sign-in link has its secret there.
            room = scope["path"].split("/")[2:3]
            log.info(
                "console",
                request_id=request_id,
                method=scope["method"],
                page=room[0] if room else "",
                status=status,
                milliseconds=round((time.perf_counter() - started) * 1000, 2),
            )
