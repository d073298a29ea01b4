"""Questions that could be asked next, of kinds that something is held for."""

from collections.abc import Sequence

from sightline.assistant.held import Held

_MOST = 3


async def suggestions(held: Held, asked: Sequence[str]) -> list[str]:
    """At most three, none of a kind that was just asked."""
    name = held.name
    offers: list[tuple[str, str, bool]] = [
        ("role", f"Who leads {name}?", bool(await held.facts("person", "ceo"))),
        ("money", f"What was the revenue of {name}?", bool(await held.facts("fiscal_period"))),
        ("segments", f"How does revenue of {name} split by segment?", bool(await held.facts("segment"))),
        ("risks", f"What are the main risks of {name}?", bool(await held.section("risks"))),
        ("competitors", f"Who are the competitors of {name}?", bool(await held.section("competitors"))),
        ("news", f"What is new at {name}?", bool(await held.signals())),
        ("strategy", f"What are the priorities of {name}?", bool(await held.section("strategic_priorities"))),
        ("postings", f"What jobs are open at {name}?", held.may("jobs:read") and bool(await held.postings())),
        ("place", f"Where is {name} based?", bool(await held.facts("hq_city"))),
    ]  # fmt: skip
    return [text for kind, text, held_for in offers if held_for and kind not in asked][:_MOST]
