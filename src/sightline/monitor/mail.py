"""Digests of new alerts by email, over the organization's own mail server."""

import asyncio
import smtplib
import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any

import structlog
from jinja2 import Environment, FileSystemLoader, Template

from sightline.domain.callers import OrganizationId
from sightline.kit.clock import now
from sightline.kit.fetch.addresses import IPNetwork
from sightline.kit.fetch.errors import FetchFailed
from sightline.kit.fetch.resolver import connect
from sightline.kit.secrets import SecretBox, SecretIsUnreadable
from sightline.store.database import Database
from sightline.store.integrations import (
    Integration,
    alerts_to_mail,
    find_integration,
    note_integration,
)
from sightline.store.passes import each_organization

log = structlog.get_logger()

INTEGRATION = "smtp"
MOST_ALERTS = 100
TIMEOUT_SECONDS = 15.0
# What mail servers take messages on: relaying, submission over TLS and with STARTTLS, and its substitute.
PORTS = (25, 465, 587, 2525)
_FIRST_WINDOW = timedelta(hours=1)

Send = Callable[[Mapping[str, Any], str | None, EmailMessage], None]


class MailFailed(RuntimeError):
    """The mail server refused or could not be reached; the message says how."""


class _Judged(smtplib.SMTP):
    """Connects to judged addresses alone; the name is resolved once."""

    def __init__(self, host: str, port: int, *, allow: Sequence[IPNetwork]) -> None:
        self._allow = allow
        super().__init__(host, port, timeout=TIMEOUT_SECONDS)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return connect(host, port, seconds=timeout, allow=self._allow)


class _JudgedOverTls(smtplib.SMTP_SSL, _Judged):
    """The same in TLS from the first byte."""

    def __init__(
        self, host: str, port: int, *, allow: Sequence[IPNetwork], context: ssl.SSLContext
    ) -> None:
        self._allow = allow
        smtplib.SMTP_SSL.__init__(self, host, port, timeout=TIMEOUT_SECONDS, context=context)


def send(
    settings: Mapping[str, Any],
    password: str | None,
    message: EmailMessage,
    *,
    allow: Sequence[IPNetwork] = (),
) -> None:
    """Send over the server of the settings {host, port, security, username}. Raises MailFailed.

    `allow` names inside networks that the server may stand in.
    """
    context = ssl.create_default_context()
    host, port = settings["host"], int(settings["port"])
    try:
        server: smtplib.SMTP = (
            _JudgedOverTls(host, port, allow=allow, context=context)
            if settings["security"] == "tls"
            else _Judged(host, port, allow=allow)
        )
        with server:
            if settings["security"] == "starttls":
                server.starttls(context=context)
            if settings.get("username") and password:
                server.login(settings["username"], password)
            server.send_message(message)
    except (OSError, UnicodeError, smtplib.SMTPException, FetchFailed) as error:
        raise MailFailed(f"{_what_failed(host, error)}.") from error


# What a server can only say that speaks SMTP. Other failures are not distinguished: it would show
# which ports of which hosts are open.
_SAID: tuple[tuple[type[Exception], str], ...] = (
    (smtplib.SMTPAuthenticationError, "rejected the username and password"),
    (smtplib.SMTPSenderRefused, "refused the sender"),
    (smtplib.SMTPRecipientsRefused, "refused the recipients"),
    (smtplib.SMTPDataError, "refused the message"),
    (smtplib.SMTPNotSupportedError, "does not support the configured security"),
)


def _what_failed(host: str, error: Exception) -> str:
    said = next((said for kind, said in _SAID if isinstance(error, kind)), None)
    if said is None:
        return f"The mail server {host} cannot be used: no allowed mail server answers there"
    return f"The mail server {host} {said}"


def compose(settings: Mapping[str, Any], alerts: Sequence[Mapping[str, Any]]) -> EmailMessage:
    """The digest of some alerts by company, as plain text and as HTML."""
    message = EmailMessage()
    count = len(alerts)
    subject = f"Sightline: {count} new alert{'s' if count != 1 else ''}"
    message["Subject"] = subject
    message["From"] = settings["sender"]
    message["To"] = ", ".join(settings["recipients"])
    companies: dict[str, list[Mapping[str, Any]]] = {}
    for alert in alerts:
        companies.setdefault(str(alert["company"]), []).append(alert)
    lines = []
    for company, of_it in companies.items():
        for alert in of_it:
            lines += [f"{company}: {alert['title']}"]
            lines += [f"  {alert[part]}" for part in ("summary", "url") if alert[part]]
            lines.append("")
    message.set_content("\n".join(lines) or "This is a test message.")
    if alerts:
        html = _template().render(subject=subject, companies=companies)
        message.add_alternative(html, subtype="html")
    return message


@cache
def _template() -> Template:
    """Programs that show mail know tables and styles in elements, and little else."""
    folder = Path(__file__).parent / "templates"
    environment = Environment(loader=FileSystemLoader(folder), autoescape=True, trim_blocks=True)
    return environment.get_template("digest.html")


@dataclass(frozen=True)
class Digests:
    """Mails what is new to every organization that has set up its mail server."""

    secrets: SecretBox
    send: Send = send

    async def run(self, database: Database) -> None:
        """Schedule: one digest for each organization with new alerts."""

        async def mail(organization_id: OrganizationId) -> None:
            async with database.tenant(organization_id) as connection:
                smtp = await find_integration(connection, INTEGRATION)
            if smtp is not None and smtp.enabled and smtp.settings.get("recipients"):
                await self._digest(database, organization_id, smtp)

        await each_organization(database, "mail_digests", mail)

    async def _digest(
        self, database: Database, organization_id: OrganizationId, smtp: Integration
    ) -> None:
        since: datetime = smtp.last_sync_at or now() - _FIRST_WINDOW
        async with database.tenant(organization_id) as connection:
            alerts = await alerts_to_mail(connection, since=since, limit=MOST_ALERTS)
        if not alerts:
            return
        error = await self.deliver(smtp, compose(smtp.settings, alerts))
        if error is not None:
            log.warning("digest_failed", organization=str(organization_id), reason=error)
        async with database.tenant(organization_id) as connection:
            await note_integration(connection, INTEGRATION, error=error)

    async def deliver(self, smtp: Integration, message: EmailMessage) -> str | None:
        """Send a message; returns what went wrong, None when nothing did."""
        try:
            password = self.secrets.open(smtp.secret) if smtp.secret else None
            await asyncio.to_thread(self.send, smtp.settings, password, message)
        except (MailFailed, SecretIsUnreadable) as error:
            return str(error)
        return None
