"""Codes of an authenticator app (TOTP, RFC 6238), and recovery codes."""

import hashlib
import hmac
import secrets
from datetime import datetime
from typing import Final

import pyotp

CODE_DIGITS: Final = 6
RECOVERY_CODES: Final = 10
# Clocks of phones are a little off: the code before and the one after count too.
_DRIFT_STEPS: Final = (0, -1, 1)
# Letters and digits that no one mistakes for each other; 16 of them are 80 bits.
_ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_GROUPS, _GROUP_LENGTH = 4, 4


def new_secret() -> str:
    """A secret for an authenticator app, in base32 (160 bits)."""
    return pyotp.random_base32()


def setup_address(secret: str, *, email: str, workspace: str) -> str:
    """The `otpauth:` address that an authenticator app reads from a QR code."""
    return pyotp.TOTP(secret).provisioning_uri(name=email, issuer_name=f"Sightline {workspace}")


def step_of(secret: str, code: str, at: datetime) -> int | None:
    """The step of 30 seconds whose code this is; None when it is no code of the present."""
    totp = pyotp.TOTP(secret)
    present = totp.timecode(at)
    for drift in _DRIFT_STEPS:
        if hmac.compare_digest(totp.generate_otp(present + drift).encode(), code.encode()):
            return present + drift
    return None


def normalized_code(text: str) -> str:
    """A code as it was given out: capitals, without spaces and hyphens."""
    return "".join(text.split()).replace("-", "").upper()[:40]


def is_app_code(code: str) -> bool:
    """Whether a normalized code has the form of an app's; others are recovery codes."""
    return len(code) == CODE_DIGITS and code.isascii() and code.isdigit()


def new_recovery_codes() -> list[str]:
    """Ten codes of 80 random bits, in groups: `ABCD-EFGH-JKLM-NPQR`."""
    return [
        "-".join(
            "".join(secrets.choice(_ALPHABET) for _ in range(_GROUP_LENGTH)) for _ in range(_GROUPS)
        )
        for _ in range(RECOVERY_CODES)
    ]


def recovery_digest(code: str) -> bytes:
    """What is kept of a recovery code. SHA-256 suffices: 80 random bits are not guessed."""
    return hashlib.sha256(normalized_code(code).encode()).digest()
