"""Technologies in job descriptions: found where meant, and not where the word is an ordinary one."""

import pytest

from sightline.domain.job_text import skill_categories, skills_in
from sightline.domain.tables import toml_table
from tests.growth import grows_linearly


def names(text: str, **options: tuple[str, ...]) -> list[str]:
    return [mention.name for mention in skills_in(text, **options)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Experience with Go, Python and Kubernetes.", ["Go", "Python", "Kubernetes"]),
        ("Languages: C, C++, C#, R", ["C", "C++", "C#", "R"]),
        ("Build microservices in Go or Rust on GCP.", ["Go", "Rust", "Google Cloud Platform"]),
        ("Java (Spring, Hibernate) and React/Redux", ["Java", "Spring", "Hibernate", "React", "Redux"]),
        ("Proficient in Excel and PowerPoint", ["Microsoft Excel", "Microsoft PowerPoint"]),
        ("SAP S/4HANA, .NET Core and ASP.NET", ["SAP", "SAP HANA", ".NET", "ASP.NET"]),
        ("Node.js, postgres and K8s.", ["Node.js", "PostgreSQL", "Kubernetes"]),
        ("iOS apps using Swift", ["Swift"]),
        ("Salesforce, Outreach, Gong", ["Salesforce", "Outreach.io", "Gong.io"]),
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


def test_own_products_are_left_out() -> None:
    assert names("Snowflake and Databricks, using dbt", own_names=("Snowflake",)) == [
        "Databricks",
        "dbt",
    ]


def test_the_list_is_sound() -> None:
    table = toml_table("skills.toml")
    entries = [entry for category in skill_categories() for entry in table[category]]
    assert len(entries) > 600
    listed = [entry.split("|")[0].rstrip("?!") for entry in entries]
    assert len({name.casefold() for name in listed}) == len(listed)
    assert all(
        form.strip() == form and form.rstrip("?!") for entry in entries for form in entry.split("|")
    )


def test_long_hostile_text_is_quick() -> None:
    assert grows_linearly(skills_in, lambda size: "Go, R, C, " * size, size=3_000)
    assert grows_linearly(skills_in, lambda size: "a" * size, size=30_000)
