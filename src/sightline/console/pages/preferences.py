"""Preferences of this browser: theme and time zone."""

from typing import Final
from zoneinfo import available_timezones

from sightline.console.page import FormIsInvalid, Moved, Shown, Visit
from sightline.console.viewer import THEME_COOKIE, THEMES, ZONE_COOKIE, zone_named

HERE: Final = "/console/preferences"


async def show(_: Visit) -> Shown:
    return Shown("preferences.html", {"zones": sorted(available_timezones())})


async def change(visit: Visit) -> Moved:
    """Keep what the form has in cookies, and go back to where the person was."""
    cookies: dict[str, str] = {}
    if "theme" in visit.form:
        cookies[THEME_COOKIE] = visit.form["theme"]
        if cookies[THEME_COOKIE] not in ("", *THEMES):
            raise FormIsInvalid
    if "zone" in visit.form:
        if zone_named(visit.form["zone"]) is None:
            raise FormIsInvalid
        cookies[ZONE_COOKIE] = visit.form["zone"]
    back = visit.form.get("back", "")
    return Moved(back if back.startswith("/console/") else HERE, cookies=cookies)
