"""Suggested follow-up questions, only of kinds that stored evidence can answer."""

from sightline.assistant.company_evidence import CompanyEvidence

_MOST = 3


async def suggestions(evidence: CompanyEvidence) -> list[str]:
    """At most three."""
    name, section, facts = evidence.name, evidence.section, evidence.facts
    offers = [
        (f"Who leads {name}?", await facts("person", "ceo")),
        (f"What was the revenue of {name}?", await facts("fiscal_period")),
        (f"How does revenue of {name} split by segment?", await facts("segment")),
        (f"What are the main risks of {name}?", await section("risks")),
        (f"Who are the competitors of {name}?", await section("competitors")),
        (f"What is new at {name}?", await evidence.signals()),
        (f"What are the priorities of {name}?", await section("strategic_priorities")),
        (
            f"What jobs are open at {name}?",
            evidence.may("jobs:read") and await evidence.postings(),
        ),
        (f"Where is {name} based?", await facts("hq_city")),
    ]
    return [text for text, known in offers if known][:_MOST]
