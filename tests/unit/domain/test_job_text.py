"""Technologies in job descriptions: found where meant, and not where the word is an ordinary one."""

import pytest

from sightline.domain.job_text import CRAFT, quote_of, skills_in
from sightline.domain.tables import toml_table
from sightline.domain.technologies import products
from tests.growth import grows_linearly


def names(text: str, **options: tuple[str, ...]) -> list[str]:
    found = skills_in(text, **options)
    return [mention.name for mention in found if mention.category != CRAFT]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Experience with Go, Python and Kubernetes.", ["Go", "Python", "Kubernetes"]),
        ("Languages: C, C++, C#, R", ["C", "C++", "C#", "R"]),
        ("Build microservices in Go or Rust on GCP.", ["Go", "Rust", "Google Cloud"]),
        ("Java (Spring, Hibernate) and React/Redux", ["Java", "Spring", "Hibernate", "React", "Redux"]),
        ("Proficient in Excel and PowerPoint", ["Microsoft Excel", "Microsoft PowerPoint"]),
        ("SAP S/4HANA, .NET Core and ASP.NET", ["SAP S/4HANA", ".NET", "ASP.NET"]),
        ("Node.js, postgres and K8s.", ["Node.js", "PostgreSQL", "Kubernetes"]),
        ("iOS apps using Swift", ["Swift"]),
        ("Salesforce, Outreach, Gong", ["Salesforce", "Outreach", "Gong"]),
        ("Strong SQL, dbt & Snowflake", ["SQL", "dbt", "Snowflake"]),
        ("CI/CD with GitHub Actions; AWS (S3)", ["CI/CD", "GitHub", "Amazon Web Services", "Amazon S3"]),
    ],
)  # fmt: skip
def test_what_is_meant(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Go above and beyond; go-to-market strategy; Go live in R&D.",
        "A Series C startup hires at C-level, Class C.",
        "Spring 2026 internship. The Spring semester.",
        "You excel at details. Excel at everything you do.",
        "React quickly to change. A swift answer to rust and perl earrings.",
        "Reach out: outreach to customers, front desk, zoom in, slack time.",
        "Tableau de bord mensuel. Informatica gestionale. Flink und freundlich.",
        "Read https://python.org/java or mail sql@docker.example.",
        "JavaScripting is no word, nor is GitHubber or preSQL.",
        "",
    ],
)
def test_what_is_not_meant(text: str) -> None:
    assert names(text) == []


def test_quotes_stand_in_the_text_word_for_word() -> None:
    text = (
        "We grow.\n- You know Python well (e.g. Django). And "
        + "more " * 100
        + "Kafka "
        + "text " * 100
    )
    mentions = skills_in(text)
    assert [mention.name for mention in mentions] == ["Python", "Django", "Apache Kafka"]
    assert mentions[0].quote == "- You know Python well (e.g. Django)."
    for mention in mentions:
        assert mention.quote in text
        assert len(mention.quote) <= 240
        assert text[mention.start : mention.end] in mention.quote


def test_crafts_are_found_as_other_skills() -> None:
    (craft, product) = skills_in("Build microservices in Kotlin.")
    assert (craft.name, craft.category) == ("Microservices", CRAFT)
    assert product.name == "Kotlin"


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("Our customers include Snowflake, Stripe and Shopify.", []),
        ("Trusted by teams at Datadog, we run on Kubernetes.", ["Kubernetes"]),
        ("We compete with Datadog and New Relic.", []),
        ("No Salesforce experience needed; you work in Pipedrive.", ["Pipedrive"]),
        ("We have retired Heroku and use AWS.", ["Amazon Web Services"]),
        ("Our product integrates with HubSpot. Datadog watches it.", ["Datadog"]),
        ("Unlike Jira, it is fast. Jira is our own tracker, though.", ["Jira"]),
    ],
)
def test_what_others_use_is_told_apart(text: str, used: list[str]) -> None:
    assert [mention.name for mention in skills_in(text) if mention.used] == used


def test_a_quote_shows_the_use() -> None:
    text = (
        "DevOps\nWe compete with Datadog.\n- You run K8s, Datadog and Go services. Go!\nGo above."
    )
    assert quote_of("Kubernetes", text) == "- You run K8s, Datadog and Go services."
    assert quote_of("Datadog", text) == "- You run K8s, Datadog and Go services."
    assert quote_of("Go", text) == "- You run K8s, Datadog and Go services."
    assert quote_of("Terraform", text) is None
    assert quote_of("No such product", text) is None


def test_letters_that_grow_in_lower_case_move_nothing() -> None:
    (mention,) = skills_in("İİİ İstanbul: you write Python here.")
    assert mention.name == "Python"
    assert mention.quote.endswith("you write Python here.")


def test_own_products_are_left_out() -> None:
    assert names("Sell Okta and Auth0; log it in Jira", own_names=("Okta, Inc.",)) == ["Jira"]
    assert names("Fluent in Go; deploy BigQuery", own_names=("Google",)) == ["Go"]
    assert names("Snowflake and Databricks, using dbt", own_names=("Snowflake",)) == [
        "Databricks",
        "dbt",
    ]


def test_the_list_is_sound() -> None:
    skills = [entry for entries in toml_table("skills.toml").values() for entry in entries]
    forms = [form for entry in skills for form in entry.split("|")]
    forms += [form for product in products().values() for form in product.forms]
    assert len(products()) > 2_200
    assert all(form.strip() == form and form.rstrip("?!") and " = " not in form for form in forms)
    bare = [form.rstrip("?!") for form in forms]
    assert len(set(bare)) == len(bare)
    words = {form[:-1] for form in forms if form.endswith("?")}
    context = toml_table("technology_context.toml")
    # A context that belongs to no ordinary word would never be asked for.
    assert set(context["words"]) <= words
    categories = {product.category for product in products().values()}
    assert set(context["own_products"]["counted"]) <= categories


def test_long_hostile_text_is_quick() -> None:
    assert grows_linearly(skills_in, lambda size: "Go, R, C, " * size, size=3_000)
    assert grows_linearly(skills_in, lambda size: "a" * size, size=30_000)
