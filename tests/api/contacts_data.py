"""People that tests of contacts put in; all of them are made up."""

from typing import Any

import httpx

from sightline.api.endpoints import BASE_PATH

CONTACTS = f"{BASE_PATH}/contacts"

MIRA: dict[str, Any] = {
    "full_name": "Mira Tanaka",
    "current_job_title": "VP Sales",
    "emails": ["Mira.Tanaka@harbor.example"],
    "phones": ["(415) 555-0134"],
    "country": "US",
    "location": "Portland, Oregon",
    "skills": ["Machine learning", "Negotiation"],
    "company": {"name": "Harbor Analytics Inc"},
    "profile_network_url": "http://uk.linkedin.com/in/Mira-Tanaka/?trk=x",
    "headline": "Tides and cargo",
    "summary": "Sells instruments.",
    "image_url": "https://images.example/mira.png",
    "experience": [
        {
            "company": "Quarry Works",
            "title": "Manager",
            "location": "Lyon",
            "start_date": "2019-03",
            "end_date": "2021-05-31",
            "description": "Stones.",
        }
    ],
    "education": [
        {
            "degree": "MSc",
            "field_of_study": "Oceanography",
            "school": "Bay University",
            "start_year": 2010,
            "end_year": 2012,
        }
    ],
}
JOHN: dict[str, Any] = {
    "full_name": "John Okoro",
    "current_job_title": "Chief Financial Officer",
    "emails": ["john@quarry.example"],
    "company": {"name": "Quarry Works"},
    "country": "DE",
    "location": "Berlin",
}
ANNE: dict[str, Any] = {
    "full_name": "Anne-Marie van der Berg",
    "current_job_title": "Assistant to the CFO",
    "phones": ["+49 30 901820"],
    "company": {"name": "Quarry Works GmbH"},
    "skills": ["Excel"],
}


async def create(client: httpx.AsyncClient, *people: dict[str, Any]) -> list[dict[str, Any]]:
    made = []
    for person in people:
        response = await client.post(CONTACTS, json=person)
        assert response.status_code in (200, 201), response.text
        made.append(response.json())
    return made


async def found(client: httpx.AsyncClient, **body: Any) -> list[str]:
    """Names of the contacts that a search finds, in its order; the total agrees."""
    response = await client.post(f"{CONTACTS}/search", json=body)
    assert response.status_code == 200, response.text
    answer = response.json()
    names = [each["full_name"] for each in answer["data"]]
    assert answer["pagination"]["total"] == len(names)
    return names
