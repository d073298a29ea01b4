"""Finds the running server of a data folder; `up` writes its address there."""

from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from sightline.settings import Settings

_FILE = "address"


def reachable_url(settings: Settings) -> str:
    """Where a client on this machine finds a server that listens as the settings say."""
    anywhere = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104
    host = anywhere.get(settings.host, settings.host)
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"


def leave_address(settings: Settings) -> None:
    """Leave word for other commands on this data folder."""
    _path(settings).write_text(reachable_url(settings) + "\n")


def forget_address(settings: Settings) -> None:
    _path(settings).unlink(missing_ok=True)


def running_url(settings: Settings) -> str | None:
    """The address of the Sightline that runs on the data folder; None when none answers."""
    try:
        url = _path(settings).read_text().strip()
    except (OSError, UnicodeError):
        return None
    return url if is_healthy(url) else None


def is_healthy(url: str) -> bool:
    """Whether an API answers at the address."""
    place = urlsplit(url)
    connection = HTTPConnection(place.hostname or "", place.port, timeout=5)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _path(settings: Settings) -> Path:
    return settings.data_dir / _FILE
