"""Job titles: what is left of them, their department and their level."""

import pytest

from sightline.domain.job_reading import read_posting
from sightline.domain.technologies import category_of
from sightline.domain.title_words import DEPARTMENTS, SENIORITIES
from sightline.domain.titles import read_title


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        ("Sr. Software Eng.", "Senior Software Engineer"),
        ("SVP Sales", "Senior Vice President Sales"),
        ("HEAD OF MARKETING AND PR", "Head of Marketing and PR"),
        ("jefe de ventas", "Jefe de Ventas"),
        ("🚀 Sales Manager at Quill & Sons | Speaker", "Sales Manager"),
        ("Softwareentwickler (m/w/d)", "Softwareentwickler"),
        ("Ingenieur:in Elektrotechnik", "Ingenieur Elektrotechnik"),
        ("Directeur·rice des ventes", "Directeur des ventes"),
        ("Chargé(e) de communication", "Chargé de communication"),
        ("Co-Founder @ Luma", "Co-Founder"),
        ("Directrice de l'innovation", "Directrice de l'innovation"),
        ("Leiter R&D", "Leiter R&D"),
        ("IT-Leiter", "IT-Leiter"),
        ("VerkäuferIn", "Verkäufer"),
        ("A/R Clerk", "A/R Clerk"),
        ("N/A", "N/A"),
    ],
)
def test_normalized_title(text: str, normalized: str) -> None:
    assert read_title(text).normalized_title == normalized


@pytest.mark.parametrize(
    ("text", "department", "seniority"),
    [
        # Of several titles the first that names a job; the one who owns or heads the company is that.
        ("Sales Manager at Quill | Speaker", "sales", "manager"),
        ("Speaker | Author | CEO", "general_management", "c_suite"),
        ("Software Engineer | Founder of Inkpot", "general_management", "owner"),
        ("Manager - Human Resources", "hr", "manager"),
        ("Solutions Engineer - Intern", "engineering", "intern"),
        # The employer says nothing about the job.
        ("Accountant at Bright Marketing", "finance", "professional"),
        ("CEO Blue Marketing GmbH", "general_management", "c_suite"),
        ("ex-CEO | Accountant", "finance", "professional"),
        # An assistant has not the rank of whom it assists.
        ("Executive Assistant to the CEO", "administration", "professional"),
        ("Assistenz der Geschäftsführung", "administration", "professional"),
        ("Vorstandsassistentin", "administration", "professional"),
        # Words that look like a level.
        ("HR Business Partner", "hr", "professional"),
        ("Partner Account Manager", "sales", "professional"),
        ("Lead Generation Specialist", "other", "professional"),
        ("Responsable communication interne", "marketing", "manager"),
        ("Product Owner", "product", "professional"),
        ("Staff Accountant", "finance", "professional"),
        # Who manages an object has a job's name; who manages a field or people has a level.
        ("Senior Key Account Managerin", "sales", "senior"),
        ("Chef de projet senior", "project_management", "senior"),
        ("Sales Manager", "sales", "manager"),
        # German compounds, also such as no list has.
        ("Gesamtvertriebsleiterin", "sales", "head"),
        ("Juniorprojektmanager", "project_management", "entry"),
        ("Hydraulikentwickler", "engineering", "professional"),
        # Umlauts either way, and typing errors.
        ("Geschaeftsfuehrer", "general_management", "c_suite"),
        ("Geschftsführer", "general_management", "c_suite"),
        ("Marketing Manger", "marketing", "manager"),
        # The own account is no level beside a job.
        ("Selbstständiger Handelsvertreter", "sales", "professional"),
        ("Selbständig", "general_management", "owner"),
        # Inflated wording.
        ("Code Ninja", "engineering", "professional"),
        ("Chief Happiness Officer", "hr", "professional"),
        ("Chief Wellbeing Officer", "other", "c_suite"),
    ],
)
def test_department_and_seniority(text: str, department: str, seniority: str) -> None:
    read = read_title(text)
    assert (read.department, read.seniority) == (department, seniority)


@pytest.mark.parametrize(
    "text",
    ["", "   ", "N/A", "-", "...", "🙂", "Student", "Étudiante en droit", "Looking for opportunities",
     "En recherche d'emploi", "Rentner", "a", "12345", "|", "at", "@@@", "& / ,"],
)  # fmt: skip
def test_a_title_that_names_no_job_has_neither(text: str) -> None:
    read = read_title(text)
    assert (read.department, read.seniority) == (None, None)


@pytest.mark.parametrize(
    ("text", "department", "seniority"),
    [
        ("Helping brands tell stories | Content Lead", "marketing", "lead"),
        ("Ehemals Bankdirektor, jetzt Coach", "education", "professional"),
        ("Jefa de turno", "other", "lead"),
        ("Directora de colegio", "education", "head"),
        ("Assistenz Geschäftsführung", "administration", "professional"),
        ("Referentin der Geschäftsführung", "general_management", "professional"),
        ("Mitglied der Geschäftsleitung, Leiter Technik", "engineering", "c_suite"),
        ("Gründerin & Kreativdirektorin", "design", "owner"),
        ("Chef d'équipe production", "production", "lead"),
    ],
)
def test_what_decides(text: str, department: str, seniority: str) -> None:
    read = read_title(text)
    assert (read.department, read.seniority) == (department, seniority)


def test_any_text_is_read() -> None:
    for text in ("x" * 100_000, "Leiter" * 500, "(((m/w/d", "\x00\ud800", "Δ" * 300, "a/" * 900):
        read = read_title(text)
        assert (read.department is None) == (read.seniority is None)
        assert read.department is None or read.department in DEPARTMENTS
        assert read.seniority is None or read.seniority in SENIORITIES


def test_posting() -> None:
    read = read_posting(
        "Senior Data Engineer (m/f/d)",
        "You build pipelines in Python and Snowflake.\nStakeholder management and GDPR matter.",
    )
    assert (read.normalized_title, read.department, read.seniority) == (
        "Senior Data Engineer",
        "data",
        "senior",
    )
    assert read.technologies == ("Python", "Snowflake")
    assert set(read.skills) == {"Python", "Snowflake", "GDPR", "Stakeholder management"}
    assert read_posting("", "").normalized_title is None


def test_every_technology_has_a_category() -> None:
    assert category_of("Kubernetes") == "containers"
    assert category_of("GDPR") is None


@pytest.mark.parametrize(
    ("title", "seniority"),
    [
        ("CEO Communications Manager", "manager"),
        ("CIO Advisor", "professional"),
        ("Manager, Office of the CEO", "manager"),
        ("Account Executive, MD/VA/DC", "professional"),
        ("Cardiologist, MD", "professional"),
        ("Senior Manager, CEO Communications", "manager"),
        ("Director, Communications (COO)", "director"),
        ("MD", "c_suite"),
        ("Finance Director (CFO)", "c_suite"),
        ("Interim Manager (CFO)", "c_suite"),
        ("CEO and General Manager", "c_suite"),
        ("CEO/MD", "c_suite"),
        ("CTO, Payments", "c_suite"),
    ],
)
def test_letters_of_a_rank_may_be_anothers(title: str, seniority: str) -> None:
    assert read_title(title).seniority == seniority


@pytest.mark.parametrize(
    ("title", "seniority"),
    [
        ("VP & General Manager", "vp"),
        ("Vice President & General Manager, Sensors Division", "vp"),
        ("Executive Vice President and Managing Director", "vp"),
        ("EVP & CFO", "c_suite"),
        ("CEO & VP Sales", "c_suite"),
        ("General Manager", "c_suite"),
    ],
)
def test_a_vice_president_who_manages_a_unit_does_not_head_the_company(
    title: str, seniority: str
) -> None:
    assert read_title(title).seniority == seniority


@pytest.mark.parametrize(
    ("title", "normalized"),
    [
        ("VP Eng", "Vice President Engineering"),
        ("Head of Eng", "Head of Engineering"),
        ("Eng Manager", "Engineering Manager"),
        ("Sr Eng", "Senior Engineer"),
    ],
)
def test_short_forms_of_a_field_or_a_job(title: str, normalized: str) -> None:
    assert read_title(title).normalized_title == normalized


@pytest.mark.parametrize(
    ("title", "department", "seniority"),
    [
        ("Responsabile acquisti", "purchasing", "manager"),
        ("Amministratore delegato", "general_management", "c_suite"),
        ("Hoofd Inkoop", "purchasing", "head"),
        ("Senior verpleegkundige", "medical", "senior"),
        ("Gerente de Vendas", "sales", "manager"),
        ("Diretora Financeira", "finance", "director"),
        ("Kierownik działu sprzedaży", "sales", "manager"),
        ("Starszy programista", "engineering", "senior"),
        ("Försäljningschef", "sales", "manager"),
        ("Verkställande direktör", "general_management", "c_suite"),
        ("Økonomichef", "finance", "manager"),
        ("Daglig leder", "general_management", "c_suite"),
    ],
)
def test_titles_of_more_languages(title: str, department: str, seniority: str) -> None:
    read = read_title(title)
    assert (read.department, read.seniority) == (department, seniority)


@pytest.mark.parametrize("title", ["Vedoucí výroby", "Myyntipäällikkö", "Γενικός γραμματέας"])
def test_a_title_of_which_no_word_is_known_has_no_department(title: str) -> None:
    read = read_title(title)
    assert (read.normalized_title, read.department, read.seniority) == (title, None, None)
