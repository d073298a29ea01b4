from dataclasses import replace

import pytest
from argon2 import PasswordHasher

from tests.cli.conftest import Shell

PASSWORD = "correct horse battery"


def test_the_default_organization_is_there_from_the_first_command(sightline: Shell) -> None:
    found = sightline("org", "list", "--json").json
    assert [(row["slug"], row["name"], row["plan"]) for row in found] == [
        ("default", "Default", "team")
    ]
    assert found[0]["created_at"].endswith("Z")
    assert sightline.rows("SELECT email, role FROM users") == [
        {"email": "owner@localhost", "role": "owner"}
    ]
    assert sightline.acts() == [("create", "org"), ("create", "user")]


def test_an_organization_is_created_with_its_owner(sightline: Shell) -> None:
    made = sightline(
        *("org", "create", "acme-emea", "--name", "Acme ÉMEA", "--plan", "enterprise"),
        *("--owner", "pat@acme.example", "--json"),
    ).json
    assert made["slug"] == "acme-emea"
    assert made["owner"]["email"] == "pat@acme.example"
    listed = {row["slug"]: row for row in sightline("org", "list", "--json").json}
    assert listed["acme-emea"]["id"] == made["id"]
    assert listed["acme-emea"]["name"] == "Acme ÉMEA"
    assert listed["acme-emea"]["plan"] == "enterprise"
    assert sightline.acts("acme-emea") == [("create", "org"), ("create", "user")]
    table = sightline("org", "list").out
    assert "acme-emea" in table
    assert "default" in table


def test_a_slug_is_taken_once(sightline: Shell) -> None:
    assert sightline("org", "create", "acme").code == 0
    sightline("org", "create", "acme").says(1, "'acme' exists already")


@pytest.mark.parametrize(
    "slug", ["", "Acme", "1st", "a_b", "a--b", "a-", "é", "a b", "a\n", "x" * 41, "a/b"]
)
def test_a_bad_slug_is_refused(offline: Shell, slug: str) -> None:
    offline("org", "create", slug).says(2, "is not a slug")


def test_the_operator_sets_plan_and_costs(sightline: Shell) -> None:
    terms = ("--plan", "free", "--cost", "company_enrichment=0", "--cost", "assistant_answer=7")
    assert sightline("org", "set", *terms, "--json").json == {
        "slug": "default",
        "plan": "free",
        "costs": {"company_enrichment": 0, "assistant_answer": 7},
    }
    assert sightline.acts()[-1] == ("set_terms", "organization")
    more = sightline("org", "set", "--cost", "company_enrichment=2", "--json").json
    assert more["costs"] == {"company_enrichment": 2, "assistant_answer": 7}
    assert more["plan"] == "free"
    assert sightline("org", "set", "--default-costs", "--json").json["costs"] == {}


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ((), "Specify --plan"),
        (("--cost", "flying=1"), "not a priced operation"),
        (("--cost", "company_enrichment"), "an amount is"),
        (("--cost", "company_enrichment=-1"), "an amount is"),
        (("--cost", "company_enrichment=1000001"), "an amount is"),
        (("--plan", "gold"), "--plan"),
    ],
)
def test_bad_terms_are_refused(offline: Shell, terms: tuple[str, ...], said: str) -> None:
    offline("org", "set", *terms).says(2, said)


def test_an_organization_begins_with_credits(sightline: Shell) -> None:
    sightline("org", "create", "acme")
    assert set(
        sightline("credits", "show", "--org", "acme", "--json").json["credits"].values()
    ) == {0}
    replace(sightline, initial_credits=1_000_000)("org", "create", "quay")
    assert sightline("credits", "show", "--org", "quay", "--json").json["credits"] == dict.fromkeys(
        ("company", "content", "territory", "contact"), 1_000_000
    )
    lines = sightline.rows("SELECT kind, amount, operation FROM credit_ledger")
    assert lines == [{"kind": "grant", "amount": 1_000_000, "operation": "initial"}] * 4


def test_a_bad_plan_or_owner_is_refused(offline: Shell) -> None:
    offline("org", "create", "acme", "--plan", "gold").says(2, "--plan", "enterprise")
    offline("org", "create", "acme", "--owner", "nobody").says(2, "not an email address")


def test_a_password_is_kept_as_an_argon2id_hash(sightline: Shell) -> None:
    made = sightline(
        *("user", "create", "--email", "pat@acme.example", "--role", "admin"),
        *("--password-stdin", "--json"),
        input=f"{PASSWORD}\n",
    )
    assert made.json["role"] == "admin"
    assert PASSWORD not in made.out + made.err
    (row,) = sightline.rows("SELECT * FROM users WHERE email = 'pat@acme.example'")
    assert row["password_hash"].startswith("$argon2id$")
    assert PasswordHasher().verify(row["password_hash"], PASSWORD)
    (act,) = sightline.rows("SELECT details FROM audit_log WHERE subject = 'user:pat@acme.example'")
    assert PASSWORD not in act["details"]


def test_codes_are_reset_by_the_operator(sightline: Shell) -> None:
    assert "needed no code" in sightline("user", "reset-codes").out
    sightline.rows(
        """
        INSERT INTO second_factors (organization_id, user_id, sealed_secret, confirmed_at)
        SELECT organization_id, user_id, 'sealed', now() FROM users
        """
    )
    sightline.rows(
        "INSERT INTO recovery_codes SELECT organization_id, user_id, 'digest' FROM second_factors"
    )
    assert "no longer needs a code" in sightline("user", "reset-codes").out
    assert sightline.rows("SELECT * FROM second_factors") == []
    assert sightline.rows("SELECT * FROM recovery_codes") == []
    assert sightline.acts()[-1] == ("reset_second_factor", "user")


def test_a_user_without_a_password_has_none(sightline: Shell) -> None:
    assert sightline("user", "create", "--email", "pat@acme.example").code == 0
    assert sightline.rows("SELECT role, password_hash FROM users WHERE email LIKE 'pat%'") == [
        {"role": "member", "password_hash": None}
    ]


def test_what_makes_no_user(sightline: Shell) -> None:
    create = ("user", "create", "--email")
    sightline(*create, "pat").says(2, "not an email address")
    sightline(*create, "p@a.example", "--org", "nowhere").says(1, "no organization 'nowhere'")
    sightline(*create, "p@a.example", "--role", "king").says(2, "--role")
    sightline(*create, "p@a.example", "--password-stdin", input="short\n").says(2, "too short")
    assert sightline(*create, "p@a.example").code == 0
    sightline(*create, "P@A.example").says(1, "a user P@A.example already")
    assert sightline.acts() == [("create", "org"), ("create", "user"), ("create", "user")]
