"""People from providers by an organization's own key.

The answers are written by us from the providers' public documentation, with invented people.
"""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest

from sightline.domain.callers import OrganizationId
from sightline.enrich.contact_providers.contract import ProviderRefuses
from sightline.enrich.contact_providers.find import Question, find_people, keep_people, look_up
from sightline.enrich.contact_providers.registry import CONTACT_PROVIDERS
from sightline.kit.fetch.addresses import Url
from sightline.kit.fetch.answer import Reply, Request
from sightline.kit.fetch.bounds import Limits
from sightline.kit.fetch.errors import TimedOut
from sightline.kit.ids import new_id
from sightline.kit.secrets import SecretBox
from sightline.store.contact_writes import unpacked
from sightline.store.database import Database
from sightline.store.integrations import save_integration
from sightline.store.suppressions import suppress
from tests.api.accounts_data import add_catalogue_company

PDL = {
    "status": 200,
    "total": 3,
    "data": [
        {
            "id": "pdl-1", "full_name": "Mira Tanaka", "first_name": "Mira", "last_name": "Tanaka",
            "job_title": "Vice President Of Logistics", "job_company_name": "Tide Labs",
            "linkedin_url": "linkedin.com/in/mira-tanaka-0", "location_name": "Lisbon, Portugal",
            "location_country": "portugal", "work_email": "mira@tide-labs.example",
            "personal_emails": ["mira@home.example"], "mobile_phone": "+14155550134",
            "emails": [
                {"address": "mira@home.example", "type": "personal"},
                {"address": "m.tanaka@tide-labs.example", "type": "current_professional"},
            ],
            "skills": ["Freight", "Customs"], "summary": "Moves boxes.",
            "experience": [
                {"company": {"name": "Tide Labs"}, "title": {"name": "Vice President Of Logistics"},
                 "start_date": "2023-04", "end_date": None, "is_primary": True},
                {"company": {"name": "Quay Systems"}, "title": {"name": "Planner"},
                 "start_date": "2019", "end_date": "2023-03", "is_primary": False},
            ],
            "education": [
                {"school": {"name": "Harbor College"}, "degrees": ["masters"], "majors": ["logistics"],
                 "start_date": "2014", "end_date": "2016-06"},
            ],
        },
        # A plan without addresses and lists says only that there are some.
        {"id": "pdl-2", "full_name": "John Okoro", "work_email": True, "emails": True,
         "experience": True, "skills": None, "job_title": "Chief Financial Officer"},
        {"id": "pdl-3", "full_name": None},
    ],
}  # fmt: skip
HUNTER = {
    "data": {
        "domain": "tide-labs.example", "pattern": "{first}", "organization": "Tide Labs",
        "emails": [
            {"value": "ada@tide-labs.example", "type": "personal", "first_name": "Ada",
             "last_name": "Lind", "position": "Head of Sales",
             "verification": {"status": "accept_all"},
             "sources": [{"uri": "https://tide-labs.example/team", "still_on_page": True}]},
            {"value": "ben@tide-labs.example", "type": "personal", "first_name": "Ben",
             "last_name": "Ruiz", "verification": {"status": "accept_all"}, "sources": []},
            {"value": "cy@dead.example", "type": "personal", "first_name": "Cy",
             "last_name": "Moss", "verification": {"status": "valid"}, "sources": []},
        ],
    }
}  # fmt: skip


@dataclass
class Answers:
    """The web, with one answer; `asked` are the requests."""

    answer: Any
    status: int = 200
    asked: list[tuple[str, Request]] = field(default_factory=list)
    closed: int = 0

    async def exchange(
        self, url: Url, request: Request, *, limits: Limits, seconds: float
    ) -> Reply:
        self.asked.append((str(url), request))
        if self.status == 0:
            raise TimedOut("It took too long.")
        body = self.answer if isinstance(self.answer, bytes) else json.dumps(self.answer).encode()
        return Reply(self.status, {}, body, datetime.now(UTC))

    async def close(self) -> None:
        self.closed += 1


async def takes_mail(domain: str) -> bool | None:
    return {"tide-labs.example": True, "dead.example": False}.get(domain)


@dataclass
class World:
    """An organization with a company, and what it finds."""

    database: Database
    organization_id: OrganizationId
    company_id: UUID
    secrets: SecretBox

    async def question(self, provider: str, most: int) -> Question:
        async with self.database.tenant(self.organization_id) as connection:
            return await look_up(
                connection, CONTACT_PROVIDERS[provider], self.company_id, most,
                secrets=self.secrets
            )  # fmt: skip

    async def keep_key(self, provider: str, *, enabled: bool = True) -> None:
        async with self.database.tenant(self.organization_id) as connection:
            await save_integration(
                connection, provider, settings=None,
                secret=self.secrets.seal("our-key"), enabled=enabled
            )  # fmt: skip

    async def find(self, provider: str, web: Answers, most: int = 10) -> dict[str, Any]:
        question = await self.question(provider, most)
        found = await find_people(question, web=web, takes_mail=takes_mail)
        async with self.database.tenant(self.organization_id) as connection:
            return await keep_people(connection, question, found, at=datetime.now(UTC))

    async def contacts(self) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
        """Name -> document and where each field comes from."""
        async with self.database.tenant(self.organization_id) as connection:
            rows = await connection.fetch("SELECT document, sources FROM contacts")
        found = [(json.loads(row["document"]), unpacked(row["sources"])) for row in rows]
        return {document["full_name"]: (document, sources) for document, sources in found}


@pytest.fixture
async def world(owner: Database, database: Database, organization: OrganizationId) -> World:
    record = {"company_name": f"Tide Labs {new_id()}", "website_domain": "tide-labs.example"}
    company_id = await add_catalogue_company(owner, record)
    made = World(database, organization, company_id, SecretBox(bytes(32)))
    for provider in CONTACT_PROVIDERS:
        await made.keep_key(provider)
    return made


async def test_people_come_with_experience_education_and_skills(world: World) -> None:
    web = Answers(PDL)
    found = await world.find("people_data_labs", web)
    assert (found["found"], found["created"], found["unusable"], found["credits"]) == (3, 2, 1, 3)
    document, sources = (await world.contacts())["Mira Tanaka"]
    assert document["emails"] == ["mira@tide-labs.example", "m.tanaka@tide-labs.example"]
    assert document["phones"] == []
    assert document["company_id"] == str(world.company_id)
    assert document["country_code"] == "PT"
    assert document["skills"] == ["Freight", "Customs"]
    jobs = [(job["company"], job["title"], job["is_current"]) for job in document["experience"]]
    assert ("Quay Systems", "Planner", False) in jobs
    (school,) = document["education"]
    assert (school["school"], school["end_year"]) == ("Harbor College", 2016)
    for name in ("emails", "current_job_title", "experience", "education", "skills"):
        assert sources[name]["origin"] == "people_data_labs"
        assert sources[name]["terms"] == "https://www.peopledatalabs.com/legal/terms"
        assert sources[name]["record"] == "pdl-1"
    (url, request) = web.asked[0]
    assert url == "https://api.peopledatalabs.com/v5/person/search"
    assert request.headers["x-api-key"] == "our-key"
    asked = json.loads(request.body or b"")
    assert asked["size"] == 10
    assert asked["query"]["bool"]["must"] == [
        {"term": {"job_company_website": "tide-labs.example"}}
    ]


async def test_the_same_people_again_change_nothing(world: World) -> None:
    await world.find("people_data_labs", Answers(PDL))
    again = await world.find("people_data_labs", Answers(PDL))
    assert (again["created"], again["unchanged"]) == (0, 2)


async def test_guessed_addresses_and_those_without_mail_are_no_facts(world: World) -> None:
    web = Answers(HUNTER)
    found = await world.find("hunter", web)
    assert (found["created"], found["addresses_guessed"], found["addresses_without_mail"]) == (
        3,
        1,
        1,
    )
    assert found["credits"] == 1
    contacts = await world.contacts()
    assert {name: document["emails"] for name, (document, _) in contacts.items()} == {
        "Ada Lind": ["ada@tide-labs.example"],
        "Ben Ruiz": [],
        "Cy Moss": [],
    }
    assert contacts["Ada Lind"][1]["emails"]["url"] == "https://tide-labs.example/team"
    query = parse_qs(urlsplit(web.asked[0][0]).query)
    assert query == {"domain": ["tide-labs.example"], "type": ["personal"], "limit": ["10"]}


async def test_nothing_of_who_is_suppressed_is_kept(world: World) -> None:
    async with world.database.tenant(world.organization_id) as connection:
        await suppress(connection, ["e:ada@tide-labs.example"], reason="asked")
    found = await world.find("hunter", Answers(HUNTER))
    assert (found["created"], found["suppressed"]) == (2, 1)
    assert "Ada Lind" not in await world.contacts()


async def test_who_is_suppressed_is_not_asked_for_where_that_can_be_said(world: World) -> None:
    await world.find("people_data_labs", Answers(PDL))
    async with world.database.tenant(world.organization_id) as connection:
        keys = ["e:mira@tide-labs.example"]
        await suppress(connection, keys, reason="asked")
    web = Answers({"data": []})
    found = await world.find("people_data_labs", web)
    assert found["not_asked_for"] == 1
    query = json.loads(web.asked[0][1].body or b"")["query"]["bool"]
    # Private addresses that we may know of the person are not handed on.
    assert query["must_not"] == [
        {"terms": {"work_email": ["m.tanaka@tide-labs.example", "mira@tide-labs.example"]}},
        {"terms": {"linkedin_url": ["linkedin.com/in/mira-tanaka-0"]}},
    ]
    hunter = Answers(HUNTER)
    assert (await world.find("hunter", hunter))["not_asked_for"] == 0
    assert "tanaka" not in hunter.asked[0][0]


async def test_the_price_is_told(world: World) -> None:
    prices = {name: (await world.question(name, 25)).price() for name in CONTACT_PROVIDERS}
    assert prices["people_data_labs"]["credits_at_most"] == 25
    assert prices["hunter"]["credits_at_most"] == 3
    assert all(each["terms"].startswith("https://") for each in prices.values())


async def test_no_more_than_asked_for(world: World) -> None:
    found = await world.find("people_data_labs", Answers(PDL), most=1)
    assert (found["found"], found["credits"]) == (1, 1)


@pytest.mark.parametrize(
    ("status", "answer", "said"),
    [
        (401, {}, "rejected the key"),
        (402, {}, "Your credits with the provider are used up"),
        (429, {}, "try again later"),
        (500, {}, "It answered 500"),
        (200, b"<html>", "cannot be read"),
        (200, [], "cannot be read"),
        (0, {}, "cannot be reached"),
    ],
)
@pytest.mark.parametrize("provider", CONTACT_PROVIDERS)
async def test_what_goes_wrong_is_said(
    world: World, provider: str, status: int, answer: Any, said: str
) -> None:
    web = Answers(answer, status)
    with pytest.raises(ProviderRefuses, match=said):
        await world.find(provider, web)
    assert "our-key" not in repr(await world.question(provider, 10))


@pytest.mark.parametrize("provider", CONTACT_PROVIDERS)
async def test_nobody_found_is_no_error(world: World, provider: str) -> None:
    found = await world.find(provider, Answers({"status": 404}, 404))
    assert (found["found"], found["credits"]) == (0, 0)


async def test_without_key_or_web_site_nobody_is_asked(world: World, owner: Database) -> None:
    web = Answers(PDL)
    await world.keep_key("hunter", enabled=False)
    with pytest.raises(ProviderRefuses, match="turned off"):
        await world.find("hunter", web)
    world.company_id = await add_catalogue_company(owner, {"company_name": f"Nameless {new_id()}"})
    with pytest.raises(ProviderRefuses, match="website is unknown"):
        await world.find("people_data_labs", web)
    async with world.database.tenant(world.organization_id) as connection:
        await connection.execute("UPDATE integrations SET secret = NULL")
    with pytest.raises(ProviderRefuses, match="needs your API key"):
        await world.find("people_data_labs", web)
    assert web.asked == []
