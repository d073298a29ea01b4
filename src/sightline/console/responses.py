"""Console responses and their headers."""

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from sightline.console.render import templates

HOME: Final = "/console/home"
SIGN_IN: Final = "/console/sign-in"
POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def html(template: str, values: Mapping[str, Any], status: int = 200) -> Response:
    """A rendered page."""
    return HTMLResponse(templates().get_template(template).render(values), status)


def problem(status: int, title: str, advice: str) -> Response:
    """A page that says what went wrong and what to do."""
    return html("problem.html", {"status": status, "title": title, "advice": advice}, status)


def cookie_name(request: Request, name: str, *, trust_proxy: bool) -> str:
    """Over HTTPS a browser lets only this very host set a cookie of such a name."""
    return f"__Host-{name}" if is_https(request, trust_proxy=trust_proxy) else name


def origin(request: Request, *, trust_proxy: bool) -> str:
    """Scheme and host as the browser has them."""
    scheme = "https" if is_https(request, trust_proxy=trust_proxy) else "http"
    return f"{scheme}://{request.url.netloc}"


def is_https(request: Request, *, trust_proxy: bool) -> bool:
    """Whether the browser's connection is encrypted, as far as we can know."""
    if trust_proxy and "x-forwarded-proto" in request.headers:
        return request.headers["x-forwarded-proto"].strip().lower() == "https"
    return bool(request.scope["scheme"] == "https")
