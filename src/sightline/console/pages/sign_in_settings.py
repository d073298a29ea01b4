"""The user's sign-in: authenticator app and active sessions."""

from collections.abc import Awaitable, Callable
from typing import Final

from sightline.console.page import FormIsInvalid, Moved, NothingHere, Shown, Visit
from sightline.console.second_step import REFUSALS, Setup, setup_of
from sightline.domain.one_time_codes import new_recovery_codes
from sightline.store import second_factors as store
from sightline.store.console_sessions import end_sessions, list_sessions, password_hash_of
from sightline.store.database import Tenant
from sightline.store.organizations import record_audit

HERE: Final = "/console/settings/sign-in"


class _Refused(ValueError):
    """Nothing was changed; the message says why."""


async def change(visit: Visit) -> Shown | Moved:
    work = _ACTIONS.get(visit.form.get("action", ""))
    if work is None:
        raise FormIsInvalid
    try:
        return await work(visit)
    except _Refused as error:
        return await show(visit, error=str(error))


async def _begin(visit: Visit) -> Shown | Moved:
    session = visit.session
    async with visit.writing() as connection:
        secret = await store.begin_factor(
            connection, session.user_id, secrets=visit.services.secrets
        )
        if secret is None:
            return Moved(HERE)
        setup = await setup_of(connection, session.user_id, secret=secret)
    return await show(visit, setup=setup)


async def _confirm(visit: Visit) -> Shown | Moved:
    try:
        return await _give_codes(visit, "add_second_factor")
    except _Refused as error:
        shown = await _begin(visit)
        if isinstance(shown, Moved):
            return shown
        return Shown(shown.template, {**shown.values, "error": str(error)})


async def _new_codes(visit: Visit) -> Shown | Moved:
    return await _give_codes(visit, "renew_recovery_codes")


async def _give_codes(visit: Visit, act: str) -> Shown:
    session, codes = visit.session, new_recovery_codes()
    await _check(visit)
    async with visit.writing() as connection:
        await store.confirm_factor(connection, session.user_id, recovery_codes=codes)
        await _record(visit, connection, act)
    return Shown("recovery_codes.html", {"codes": codes})


async def _off(visit: Visit) -> Shown | Moved:
    session = visit.session
    async with visit.reading() as connection:
        if await store.is_factor_required(connection):
            raise _Refused("This workspace requires a code from everyone.")
    await _check(visit)
    async with visit.writing() as connection:
        await store.remove_factor(connection, session.user_id)
        await _record(visit, connection, "remove_second_factor")
    return Moved(HERE, notice="codes_off")


async def _end(visit: Visit) -> Shown | Moved:
    try:
        wanted = bytes.fromhex(visit.form.get("id", ""))
    except ValueError as error:
        raise NothingHere from error
    async with visit.writing() as connection:
        session = visit.session
        await end_sessions(connection, session.user_id, only=wanted)
    return Moved(HERE, notice="session_ended")


async def _end_others(visit: Visit) -> Shown | Moved:
    session = visit.session
    async with visit.writing() as connection:
        await end_sessions(connection, session.user_id, but=session.token_hash)
        await _record(visit, connection, "end_other_sessions")
    return Moved(HERE, notice="session_ended")


async def _require(visit: Visit) -> Shown | Moved:
    return await _set_required(visit, required=True)


async def _optional(visit: Visit) -> Shown | Moved:
    return await _set_required(visit, required=False)


async def _set_required(visit: Visit, *, required: bool) -> Moved:
    session = visit.session
    if session.role != "owner":
        raise NothingHere
    async with visit.writing() as connection:
        if required and not await store.has_factor(connection, session.user_id):
            raise _Refused("Set up your own app first, so you don't lock yourself out.")
        await store.require_factor(connection, required=required)
        await _record(
            visit, connection, "require_second_factor" if required else "leave_second_factor_open"
        )
    return Moved(HERE, notice="codes_required" if required else "codes_optional")


async def _check(visit: Visit) -> None:
    """Use up the code of the form. Raises _Refused. A transaction of its own: wrong codes are counted."""
    session = visit.session
    async with visit.writing() as connection:
        verdict = await store.check_code(
            connection, session.user_id, visit.form.get("code", ""), secrets=visit.services.secrets
        )
    if verdict in REFUSALS:
        raise _Refused(REFUSALS[verdict])


async def _record(visit: Visit, connection: Tenant, action: str) -> None:
    actor = f"user:{visit.session.user_id}"
    await record_audit(connection, action=action, subject=actor, actor=actor)


async def show(visit: Visit, *, error: str | None = None, setup: Setup | None = None) -> Shown:
    session = visit.session
    async with visit.reading() as connection:
        values = {
            "enrolled": await store.has_factor(connection, session.user_id),
            "codes_left": await store.count_recovery_codes(connection, session.user_id),
            "required": await store.is_factor_required(connection),
            "has_password": await password_hash_of(connection, session.user_id) is not None,
        }
        sessions = await list_sessions(connection, session.user_id)
    for each in sessions:
        each["is_here"] = each["id"] == session.token_hash.hex()
    shown = {
        "sessions": sessions,
        "error": error,
        "setup": setup,
        "is_owner": session.role == "owner",
    }
    return Shown("sign_in_settings.html", values | shown)


_ACTIONS: Final[dict[str, Callable[[Visit], Awaitable[Shown | Moved]]]] = {
    "begin": _begin,
    "confirm": _confirm,
    "new_codes": _new_codes,
    "off": _off,
    "end": _end,
    "end_others": _end_others,
    "require": _require,
    "optional": _optional,
}
