"""Mail goes out over judged addresses alone, and what goes wrong shows nothing of the network inside."""

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any

import pytest

from sightline.kit.fetch.addresses import IPAddress, read_networks
from sightline.monitor.mail import MailFailed, compose, send
from tests.kit.fetch.test_inside import PRIVATE_ANSWERS

LOOPBACK = read_networks(["127.0.0.1"])
WHOM = {"sender": "alerts@first.example", "recipients": ["sales@first.example"]}


class MailServer:
    """Speaks enough SMTP on a port of this machine; refuses the sender on request."""

    def __init__(self, *, refuses_sender: bool = False) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.refuses_sender = refuses_sender
        self.connections = 0
        self.lines: list[str] = []
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self.connections += 1
            with connection, connection.makefile("rwb", buffering=0) as stream:
                self._talk(stream)

    def _talk(self, stream: Any) -> None:
        stream.write(b"220 mail.first.example ready\r\n")
        in_message = False
        while line := stream.readline():
            text = line.decode().strip()
            self.lines.append(text)
            word = text[:4].upper()
            if in_message:
                in_message = text != "."
                if not in_message:
                    stream.write(b"250 taken\r\n")
            elif word == "DATA":
                in_message = True
                stream.write(b"354 go on\r\n")
            elif word == "MAIL" and self.refuses_sender:
                stream.write(b"550 not you\r\n")
            elif word == "QUIT":
                stream.write(b"221 bye\r\n")
                return
            else:
                stream.write(b"250 fine\r\n")

    def close(self) -> None:
        # A thread that waits in accept() wakes up when the socket is shut down, not when it is closed.
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join()


@contextmanager
def mail_server(**options: bool) -> Iterator[MailServer]:
    server = MailServer(**options)
    try:
        yield server
    finally:
        server.close()


def mail(host: str, port: int, *, security: str = "none", **options: Any) -> None:
    settings = WHOM | {"host": host, "port": port, "security": security}
    send(settings, None, compose(settings, []), **options)


def refusal(host: str, port: int, **options: Any) -> str:
    with pytest.raises(MailFailed) as caught:
        mail(host, port, **options)
    return str(caught.value)


@pytest.mark.parametrize("security", ["none", "starttls", "tls"])
def test_an_open_port_inside_looks_like_a_closed_one(security: str) -> None:
    with mail_server() as server:
        opened = refusal("127.0.0.1", server.port, security=security)
        assert server.connections == 0
    closed = refusal("127.0.0.1", server.port, security=security)
    assert opened == closed


@pytest.mark.parametrize("address", PRIVATE_ANSWERS)
def test_a_name_that_leads_inside_is_not_connected_to(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def look_up(host: str) -> Sequence[IPAddress]:
        asked.append(host)
        return (ip_address("93.184.216.34"), ip_address(address))  # one of them suffices

    def connect(*_: object, **__: object) -> socket.socket:
        raise AssertionError("it was connected to")

    monkeypatch.setattr("sightline.kit.fetch.resolver.look_up", look_up)
    monkeypatch.setattr("socket.create_connection", connect)
    inside = refusal("mail.first.example", 25)
    assert asked == ["mail.first.example"]
    monkeypatch.setattr("sightline.kit.fetch.resolver.look_up", lambda _: ())
    assert refusal("mail.first.example", 25) == inside, "a name that is not there looks the same"


def test_what_the_operator_allows_is_used_and_resolved_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def look_up(host: str) -> Sequence[IPAddress]:
        asked.append(host)
        return (ip_address("127.0.0.1"),)

    monkeypatch.setattr("sightline.kit.fetch.resolver.look_up", look_up)
    with mail_server() as server:
        mail("relay.first.example", server.port, allow=LOOPBACK)
    assert asked == ["relay.first.example"]
    assert "This is a test message." in server.lines


def test_a_mail_server_that_refuses_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with mail_server(refuses_sender=True) as server:
        said = refusal("127.0.0.1", server.port, allow=LOOPBACK)
        assert said == "The mail server 127.0.0.1 refused the sender."


@pytest.mark.parametrize("host", ["\u0093", "..", "a" * 64 + ".example", "", "%"])
def test_no_host_fails_otherwise(host: str) -> None:
    assert "cannot be used" in refusal(host, 25)


ALERTS = [
    {
        "company": "Harbor <b>Analytics</b>",
        "title": "Hires <script>alert(1)</script>",
        "summary": "A new chief.",
        "url": url,
        "created_at": datetime(2026, 3, 4, 9, 5, tzinfo=UTC),
    }
    for url in ("https://harbor.example/news?a=1&b=2", "javascript:alert(1)", None)
]


def test_a_digest_is_text_and_html() -> None:
    message = compose(WHOM, ALERTS)
    assert message["Subject"] == "Sightline: 3 new alerts"
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    assert text is not None
    assert html is not None
    assert "Harbor <b>Analytics</b>: Hires" in text.get_content()
    shown = html.get_content()
    assert shown.count("Harbor &lt;b&gt;Analytics&lt;/b&gt;</h2>") == 1
    assert "<script" not in shown
    assert 'href="https://harbor.example/news?a=1&amp;b=2"' in shown
    assert "javascript:" not in shown
    assert "<img" not in shown, "nothing tells a sender who reads"
    assert "04 Mar 2026, 09:05 UTC" in shown


def test_a_test_message_is_plain() -> None:
    message = compose(WHOM, [])
    assert message.get_content_type() == "text/plain"
