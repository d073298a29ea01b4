"""Matches a name, a domain and other identifiers to a known company."""

from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Call, Endpoint, Reply, Schema, json_reply
from sightline.domain.websites import domain_of
from sightline.match.decide import decide
from sightline.match.index import Index
from sightline.match.records import Candidate
from sightline.match.scoring import Scored
from sightline.store.matching import Known, companies_like

_SHOWN = 10


class MatchRequest(Schema):
    """What you know about the company: a name or a domain, or better both."""

    company_name: str | None = Field(
        default=None, max_length=300, examples=["Harbour Analytics Inc."]
    )
    domain: str | None = Field(default=None, max_length=2000, description="A domain or URL.")
    country: str | None = Field(default=None, max_length=100, description="A code or a name.")
    city: str | None = Field(default=None, max_length=200)
    ticker: str | None = Field(default=None, max_length=20)
    lei: str | None = Field(default=None, max_length=40)


class MatchFeature(Schema):
    """One feature of the comparison; `weight` is what it adds to the log-odds."""

    name: str = Field(examples=["same_words"])
    value: float = Field(examples=[1.0])
    weight: float = Field(examples=[0.28])


class MatchCandidate(Schema):
    company_id: UUID
    account_id: UUID | None = Field(description="Only if it is one of your accounts.")
    name: str
    domain: str | None
    country_code: str | None
    city: str | None
    score: float = Field(description="Probability, 0 to 1, that this is the company.")
    features: list[MatchFeature]


class MatchAnswer(Schema):
    status: Literal["matched", "ambiguous", "no_match"]
    score: float = Field(description="Of the best candidate; 0 if there is none.")
    features: list[MatchFeature] = Field(description="Those of the best candidate.")
    candidates: list[MatchCandidate] = Field(description="Best first, at most ten.")


async def match_company(call: Call) -> Reply:
    asked: MatchRequest = call.body or MatchRequest()
    domain = domain_of(asked.domain or "")
    # A domain alone is asked under its own first label: the owner's name is often in it.
    name = (asked.company_name or "").strip() or (domain or "").partition(".")[0]
    known = await companies_like(
        call.tenant,
        name=name,
        domains=[domain] if domain else [],
        ticker=asked.ticker.strip().upper() if asked.ticker else None,
        identifiers={"lei": asked.lei.strip().upper()} if asked.lei else None,
    )
    index = Index(
        Candidate(
            str(number), one.name, one.country_code, one.city,
            domain=one.domain, ticker=one.ticker, lei=one.lei,
        )
        for number, one in enumerate(known)
    )  # fmt: skip
    query = Candidate(
        "", name, asked.country, asked.city, domain=domain, ticker=asked.ticker, lei=asked.lei
    )
    found = index.query(query, limit=_SHOWN)[:_SHOWN]
    decision = decide(found)
    best = (
        {"score": decision.best.score, "features": _features(decision.best)}
        if decision.best
        else {}
    )
    answer = {
        "status": decision.outcome,
        "score": 0.0,
        "features": [],
        **best,
        "candidates": [_candidate(known[int(one.id)], one) for one in found],
    }
    return json_reply(answer)


def _candidate(known: Known, scored: Scored) -> dict[str, Any]:
    return {
        "company_id": str(known.company_id),
        "account_id": str(known.account_id) if known.account_id else None,
        "name": known.name,
        "domain": known.domain,
        "country_code": known.country_code,
        "city": known.city,
        "score": scored.score,
        "features": _features(scored),
    }


def _features(scored: Scored) -> list[dict[str, Any]]:
    return [{"name": one.name, "value": one.value, "weight": one.weight} for one in scored.features]


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/companies/match",
        name="match_company",
        summary="Match a name, domain or identifier to a company",
        description=(
            "Compares with your accounts and with the catalog: names in any script, places, domains and "
            "identifiers. `ambiguous` means that several match equally well. Nothing is stored or charged."
        ),
        tag="Companies",
        scopes=("insights:read",),
        body=MatchRequest,
        body_optional=True,
        answer=MatchAnswer,
        handler=match_company,
    ),
)
