import hashlib
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from sightline.domain.keys import is_well_formed
from tests.cli.conftest import MakeKey, Shell

CREATE = ("keys", "create", "--name", "test")


def test_a_key_is_printed_once_and_stored_as_a_digest(sightline: Shell) -> None:
    made = sightline(*CREATE, "--org", "default", "--scope", "accounts:read", "--json").json
    assert is_well_formed(made["key"])
    assert made["prefix"] == made["key"][:14]
    (row,) = sightline.rows("SELECT * FROM api_keys")
    assert str(row["key_id"]) == made["id"]
    assert row["digest"] == hashlib.sha256(made["key"].encode()).digest()
    assert made["key"] not in str(row)
    assert sightline.rows("SELECT digest FROM key_index") == [{"digest": row["digest"]}]
    assert sightline.acts()[-1] == ("create", "key")


def test_a_list_shows_no_secrets(sightline: Shell, make_key: MakeKey) -> None:
    made = make_key()
    listed = sightline("keys", "list", "--json")
    (row,) = listed.json
    assert (row["id"], row["prefix"], row["status"]) == (made["id"], made["prefix"], "active")
    assert row["owner"] == "owner@localhost"
    digest = hashlib.sha256(made["key"].encode()).hexdigest()
    for text in (listed.out, sightline("keys", "list").out):
        assert made["prefix"] in text
        assert made["key"] not in text
        assert made["key"][14:] not in text
        assert digest not in text


def test_every_option_is_kept(sightline: Shell) -> None:
    assert sightline("user", "create", "--email", "pat@acme.example").code == 0
    made = sightline(
        *(*CREATE, "--scope", "accounts:*", "--scope", "insights:read", "--scope", "accounts:*"),
        *("--user", "PAT@acme.example", "--expires-in", "90d", "--rate-limit", "7"),
        *("--allow-network", "10.1.2.3/8", "--allow-network", "2001:db8::/32"),
        *("--flat-errors", "--json"),
    ).json
    assert made["scopes"] == ["accounts:*", "insights:read"]
    (row,) = sightline.rows("SELECT k.*, email FROM api_keys k JOIN users USING (user_id)")
    assert row["email"] == "pat@acme.example"
    assert row["scopes"] == ["accounts:*", "insights:read"]
    assert row["allowed_networks"] == ["10.0.0.0/8", "2001:db8::/32"]
    assert row["rate_limit"] == 7
    assert row["flat_errors"] is True
    left = row["expires_at"] - datetime.now(UTC)
    assert timedelta(days=90, minutes=-5) < left <= timedelta(days=90)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--scope", "account:read"), ("'account:read' is not a scope", "mean 'accounts:read'?")),
        (("--scope", "insights:wirte"), ("mean 'insights:write'?",)),
        ((), ("--scope",)),
        (("--scope", "*", "--expires-in", "soon"), ("not a duration", "90d")),
        (("--scope", "*", "--expires-in", "0d"), ("not a duration",)),
        (("--scope", "*", "--expires-in", "99999w"), ("hundred years",)),
        (("--scope", "*", "--allow-network", "10.0.0.0/33"), ("not a network",)),
        (("--scope", "*", "--rate-limit", "0"), ("--rate-limit",)),
        (("--scope", "*", "--name", "  "), ("printable",)),
        (("--scope", "*", "--name", "a\x00b"), ("printable",)),
    ],
)
def test_a_wrong_option_is_refused_at_once(
    offline: Shell, options: tuple[str, ...], words: tuple[str, ...]
) -> None:
    offline(*CREATE, *options).says(2, *words)


def test_an_unknown_organization_or_user_makes_no_key(sightline: Shell) -> None:
    sightline(*CREATE, "--scope", "*", "--org", "none").says(1, "no organization 'none'")
    sightline(*CREATE, "--scope", "*", "--user", "x@y.example").says(1, "no user x@y.example")
    assert sightline.rows("SELECT 1 FROM api_keys") == []


def test_a_revoked_key_stays_in_the_list(sightline: Shell, make_key: MakeKey) -> None:
    made = make_key()
    assert sightline("keys", "revoke", made["id"], "--json").json["status"] == "revoked"
    assert sightline("keys", "list", "--json").json[0]["status"] == "revoked"
    assert sightline("keys", "revoke", made["id"]).code == 0
    assert sightline.acts()[-2:] == [("revoke", "key"), ("revoke", "key")]
    sightline("keys", "revoke", str(uuid4())).says(1, "There is no key")
    sightline("keys", "revoke", "first").says(2, "ID: it must be an id such as")
    assert len(sightline.acts()) == 5


def test_a_key_of_another_organization_cannot_be_revoked(
    sightline: Shell, make_key: MakeKey
) -> None:
    made = make_key()
    assert sightline("org", "create", "other").code == 0
    sightline("keys", "revoke", made["id"], "--org", "other").says(1, "There is no key")
    sightline("keys", "rotate", made["id"], "--org", "other").says(1, "There is no valid key")
    assert sightline("keys", "list", "--json").json[0]["status"] == "active"


def test_rotation_lets_both_keys_live_for_the_overlap(sightline: Shell, make_key: MakeKey) -> None:
    old = make_key("--rate-limit", "9")
    new = sightline("keys", "rotate", old["id"], "--overlap", "2h", "--json").json
    assert new["key"] != old["key"]
    assert new["rotated_from"] == old["id"]
    rows = {str(row["key_id"]): row for row in sightline.rows("SELECT * FROM api_keys")}
    left = rows[old["id"]]["expires_at"] - datetime.now(UTC)
    assert timedelta(hours=2, minutes=-5) < left <= timedelta(hours=2)
    assert rows[new["id"]]["expires_at"] is None
    assert rows[new["id"]]["rate_limit"] == 9
    assert sightline.acts()[-1] == ("rotate", "key")
    sightline("keys", "rotate", old["id"], "--overlap", "x").says(2, "not a duration")


def test_people_are_told_to_keep_the_key(sightline: Shell) -> None:
    made = sightline(*CREATE, "--scope", "*")
    assert made.code == 0
    assert made.out.startswith("key ")
    assert "cannot be shown again" in made.err
