"""The tree of paths that the server looks requests up in."""

import pytest
from starlette.requests import Request
from starlette.responses import Response

from sightline.api.paths import Paths


async def handler(_: Request) -> Response:
    return Response()


def tree(*paths: str) -> Paths:
    made = Paths()
    for path in paths:
        made.add(path, "GET", handler)
    return made


def test_a_literal_goes_before_a_parameter() -> None:
    paths = tree("/contacts/{contact_id}", "/contacts/export")
    paths.add("/contacts/{contact_id}", "PATCH", handler)
    found = paths.find("/contacts/export")
    assert found is not None
    assert (set(found.answers), found.parameters) == ({"GET"}, {})
    found = paths.find("/contacts/one")
    assert found is not None
    assert (set(found.answers), found.parameters) == ({"GET", "PATCH"}, {"contact_id": "one"})


def test_a_literal_that_leads_nowhere_leaves_the_parameter() -> None:
    paths = tree("/accounts/export", "/accounts/{account_id}/notes/{note_id}")
    found = paths.find("/accounts/export/notes/7")
    assert found is not None
    assert found.parameters == {"account_id": "export", "note_id": "7"}


@pytest.mark.parametrize("path", ["", "/", "/a", "/a/", "/a//b", "/a/1/b/", "/a/1/c", "/a/1/b/2"])
def test_other_paths_lead_to_nobody(path: str) -> None:
    assert tree("/a/{id}/b").find(path) is None


def test_one_place_has_one_parameter() -> None:
    paths = tree("/a/{id}")
    with pytest.raises(ValueError, match="other"):
        paths.add("/a/{other}/b", "GET", handler)
