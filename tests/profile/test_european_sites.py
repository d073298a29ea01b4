"""What sections make of invented pages and feeds in German, French and Spanish."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from sightline.profile.build import checker
from sightline.profile.evidence import Document, Evidence, Span
from sightline.profile.sections import (
    digital_strategies,
    goals,
    how_they_make_money,
    industry_insights,
    strategic_priorities,
    swot_analysis,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)

GERMAN = """Larkspur ist einer der führenden Anbieter von gekühlten Transporten in Nordeuropa.
Wir wollen unser Netz von Kühlhäusern in Polen und Tschechien weiter ausbauen, um Erzeuger näher zu erreichen.
Bis zum Jahr 2030 wollen wir die Hälfte unserer Lastwagen elektrisch betreiben.
Wir investieren in künstliche Intelligenz, die jede Tour unserer Fahrer plant.
Unseren Umsatz erzielen wir vor allem mit Transportverträgen und mit der Vermietung von Kühlhäusern.
Der Markt für gekühlte Transporte wächst seit Jahren, weil immer mehr Lebensmittel online bestellt werden.
Wir verwenden Cookies, um unsere Website und Ihre Nutzung zu verbessern, siehe Datenschutzerklärung.
Der Gerichtsstand für alle Streitigkeiten aus diesem Vertrag ist der Sitz der Larkspur GmbH in Kiel."""
FRENCH = """Larkspur est le leader du transport frigorifique dans les Alpes et au bord de la Méditerranée.
Nous avons pour ambition d'ouvrir douze nouveaux entrepôts frigorifiques en Espagne et en Italie.
D'ici à 2030, nous voulons réduire de moitié la consommation de nos camions.
Nous déployons l'intelligence artificielle pour planifier chaque tournée de nos chauffeurs.
Notre chiffre d'affaires provient surtout de contrats de transport et de la location d'entrepôts.
Le marché du transport frigorifique est très fragmenté et la demande augmente chaque année.
Tous droits réservés, les mentions légales et la politique de confidentialité se trouvent plus bas."""
SPANISH = """Larkspur es líder en transporte refrigerado para los agricultores del sur de España.
Queremos ampliar nuestra red de almacenes frigoríficos en Portugal y en Marruecos.
Antes de 2030 queremos reducir a la mitad el consumo de nuestros camiones.
Desarrollamos una plataforma de datos que planifica cada ruta con inteligencia artificial.
La mayor parte de nuestros ingresos procede de contratos de transporte y del alquiler de almacenes.
El mercado del transporte refrigerado crece cada año porque se venden más alimentos por internet.
Consulte el aviso legal y la política de privacidad para saber cómo tratamos los datos de los clientes."""


def evidence(text: str, *, kind: str = "page", section: str = "about") -> Evidence:
    document = Document(
        UUID(int=1), kind, "website", "https://larkspur.example/", "Larkspur", NOW, NOW, text,
        (Span(0, len(text), section, None),),
    )  # fmt: skip
    return Evidence(
        company_id=UUID(int=2), name="Larkspur GmbH", now=NOW, record={}, documents=(document,)
    )


PLANS = {
    GERMAN: (
        "Unser Netz von Kühlhäusern in Polen und Tschechien weiter ausbauen",
        "Die Hälfte unserer Lastwagen elektrisch betreiben",
        "Investieren in künstliche Intelligenz, die jede Tour unserer Fahrer plant",
    ),
    FRENCH: (
        "Ouvrir douze nouveaux entrepôts frigorifiques en Espagne et en Italie",
        "Réduire de moitié la consommation de nos camions",
        "Déployons l'intelligence artificielle",
    ),
    SPANISH: (
        "Ampliar nuestra red de almacenes frigoríficos en Portugal y en Marruecos",
        "Reducir a la mitad el consumo de nuestros camiones",
        "Desarrollamos una plataforma de datos que planifica cada ruta",
    ),
}


@pytest.mark.parametrize("text", PLANS)
@pytest.mark.parametrize("kind", ["page", "feed_item"])
def test_plans_are_named_by_what_is_planned(text: str, kind: str) -> None:
    known = evidence(text, kind=kind)
    rows = [
        row
        for section in (strategic_priorities, goals, digital_strategies)
        for row in section.build(known)
    ]
    assert tuple(row["name"] for row in rows) == PLANS[text]
    assert all(row["description"] in text for row in rows)


@pytest.mark.parametrize(
    ("text", "money", "industry", "strength"),
    [
        (GERMAN, "Unseren Umsatz erzielen wir", "Der Markt für gekühlte", "einer der führenden"),
        (FRENCH, "Notre chiffre d'affaires", "Le marché du transport", "est le leader"),
        (SPANISH, "La mayor parte de nuestros ingresos", "El mercado del", "es líder"),
    ],
)
def test_trade_market_and_strengths(text: str, money: str, industry: str, strength: str) -> None:
    known = evidence(text)
    assert [row["description"].find(money) for row in how_they_make_money.build(known)] == [0]
    assert [row["description"].find(industry) for row in industry_insights.build(known)] == [0]
    strengths = [row for row in swot_analysis.build(known) if row["type"] == "STRENGTH"]
    assert any(strength in row["description"] for row in strengths)


@pytest.mark.parametrize("text", [GERMAN, FRENCH, SPANISH])
def test_everything_is_quoted_word_for_word(text: str) -> None:
    known = evidence(text)
    check = checker(known, {UUID(int=1): text}.get)
    sections = (
        strategic_priorities, goals, digital_strategies, how_they_make_money, industry_insights,
        swot_analysis,
    )  # fmt: skip
    for section in sections:
        _, verdict = check.prove(section.build(known))
        assert verdict.checked
        assert verdict.failures == ()


@pytest.mark.parametrize(
    "text",
    [
        "Wir wollen unsere Kunden bitten, die Rechnung bis zum 5. März 2026 ohne Abzug zu bezahlen.",
        "Nous vous souhaitons une bonne visite sur notre site et une bonne lecture de nos articles.",
        "Los pedidos se entregan en un plazo de tres días laborables desde la fecha de compra.",
    ],
)
def test_ordinary_sentences_are_no_strategy(text: str) -> None:
    padding = {"W": GERMAN, "N": FRENCH, "L": SPANISH}[text[0]].splitlines()[-1]
    assert strategic_priorities.build(evidence(f"{text}\n{padding}")) == []


def test_a_company_told_of_by_its_name() -> None:
    text = (
        "Die Larkspur Gruppe will ihr Netz in Österreich und in der Schweiz erweitern und neue Fahrer"
        " einstellen.\nDie Larkspur GmbH hat ihren Sitz in Kiel und wurde von zwei Brüdern gegründet."
    )
    (row,) = strategic_priorities.build(evidence(text, kind="news"))
    assert row["description"].startswith("Die Larkspur Gruppe will ihr Netz")
