"""Form D: an offering of securities without registration, typical of venture-backed and private companies."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from lxml import etree

from sightline.domain.evidence import Observation
from sightline.domain.industries import industry_from_text
from sightline.domain.names import tidy_name
from sightline.reading.legal_forms import is_organization_name
from sightline.reading.offices import is_chief_executive, tidy_office
from sightline.reading.people import person_case
from sightline.sources.sec_edgar.names import ADDRESS_PARTS, address_fields, edgar_place
from sightline.sources.sec_edgar.xml import day_of, number_of, root_of, text_of

# Groups that say nothing about the business of an operating company.
_NO_INDUSTRY = frozenset({"", "Other", "Pooled Investment Fund"})


@dataclass(frozen=True, slots=True)
class RelatedPerson:
    """An executive officer, director or promoter. `title` is what the form adds, where it does."""

    name: str
    relations: tuple[str, ...]
    title: str | None


@dataclass(frozen=True, slots=True)
class FormD:
    """One notice. Amounts are whole US dollars; None means not decided ("Indefinite") or not said.

    `is_fund` is set for pooled investment funds: what they raise is money of investors, not of an
    operating company.
    """

    form: str
    name: str
    is_fund: bool
    offering_amount: int | None
    sold_amount: int | None
    minimum_investment: int | None
    first_sale: date | None
    observations: tuple[Observation, ...]


def read_form_d(content: bytes) -> FormD | None:
    """The notice in an XML document or a full submission text; None when there is none."""
    root = root_of(content, "edgarSubmission")
    if root is None or not text_of(root, "submissionType").upper().startswith("D"):
        return None
    issuer, offering = root.find("primaryIssuer"), root.find("offeringData")
    if issuer is None or offering is None:
        return None
    group = text_of(offering, "industryGroup/industryGroupType")
    amounts = "offeringSalesAmounts"
    return FormD(
        form=text_of(root, "submissionType").upper(),
        name=tidy_name(text_of(issuer, "entityName")),
        is_fund=group == "Pooled Investment Fund",
        offering_amount=_whole(offering, f"{amounts}/totalOfferingAmount"),
        sold_amount=_whole(offering, f"{amounts}/totalAmountSold"),
        minimum_investment=_whole(offering, "minimumInvestmentAccepted"),
        first_sale=day_of(offering, "typeOfFiling/dateOfFirstSale/value"),
        observations=tuple(
            _observations(issuer, tuple(_persons(root)), group, signed=_signed(offering))
        ),
    )


def _persons(root: etree._Element) -> Iterator[RelatedPerson]:
    for element in root.findall("relatedPersonsList/relatedPersonInfo"):
        parts = [
            text_of(element, f"relatedPersonName/{p}Name") for p in ("first", "middle", "last")
        ]
        # Companies as general partners leave the first name "N/A" or "-".
        name = " ".join(
            p for p in parts if p and p.strip("-–. ").lower() not in {"", "n/a", "na", "none"}
        )
        relations = tuple(
            " ".join((r.text or "").split())
            for r in element.findall("relatedPersonRelationshipList/relationship")
        )
        if name:
            title = tidy_office(text_of(element, "relationshipClarification"))
            yield RelatedPerson(person_case(name), relations, title or None)


def _observations(
    issuer: etree._Element, persons: tuple[RelatedPerson, ...], group: str, *, signed: date | None
) -> Iterator[Observation]:
    def seen(field: str, value: object, pointer: str, confidence: float = 0.85) -> Observation:
        return Observation(
            field, value, "xml", confidence, pointer=f"/edgarSubmission/{pointer}", as_of=signed
        )

    at = "primaryIssuer"
    name = tidy_name(text_of(issuer, "entityName"))
    if name:
        yield seen("legal_name", name, f"{at}/entityName", 0.9)
        yield seen("company_name", name, f"{at}/entityName", 0.75)
    cik = text_of(issuer, "cik")
    if cik.isdigit():
        yield seen("cik", cik.zfill(10), f"{at}/cik", 1.0)
    for path, former in _former_names(issuer):
        yield seen("alternative_name", former, f"{at}/{path}", 0.8)
    if entity := text_of(issuer, "entityType"):
        yield seen("legal_form", entity, f"{at}/entityType", 0.7)
    country, state = edgar_place(
        text_of(issuer, "issuerAddress/stateOrCountry"),
        text_of(issuer, "issuerAddress/stateOrCountryDescription"),
    )
    found = address_fields(
        (text_of(issuer, f"issuerAddress/{part}") for part in ("street1", "street2")),
        city=text_of(issuer, "issuerAddress/city"),
        state=state,
        postcode=text_of(issuer, "issuerAddress/zipCode"),
        country=country,
    )
    for field, value in found.items():
        yield seen(field, value, f"{at}/issuerAddress/{ADDRESS_PARTS[field]}", 0.8)
    industry = None if group in _NO_INDUSTRY else industry_from_text(group)
    if industry is not None:
        yield seen("industry", industry.name, "offeringData/industryGroup", 0.6)
    year = text_of(issuer, "yearOfInc")
    if year.isdigit():
        yield seen("founded_year", int(year), f"{at}/yearOfInc", 0.6)
    yield from _people(persons, signed)


def _former_names(issuer: etree._Element) -> Iterator[tuple[str, str]]:
    """(path, name) of each former name."""
    for path in ("issuerPreviousNameList/previousName", "edgarPreviousNameList/previousName"):
        for element in issuer.findall(path):
            former = tidy_name(element.text or "")
            if former and former.lower() not in {"none", "n/a"}:
                yield path, former


def _people(persons: tuple[RelatedPerson, ...], signed: date | None) -> Iterator[Observation]:
    for index, person in enumerate(persons, start=1):
        pointer = f"/edgarSubmission/relatedPersonsList/relatedPersonInfo[{index}]"
        officer = "Executive Officer" in person.relations
        if (not officer and "Director" not in person.relations) or is_organization_name(
            person.name
        ):
            continue
        title = person.title or ("Executive Officer" if officer else "Director")
        value = {"name": person.name, "title": title, "role": "officer" if officer else "director"}
        yield Observation("person", value, "xml", 0.8, pointer=pointer, as_of=signed)
        if officer and is_chief_executive(title):
            yield Observation("ceo", person.name, "xml", 0.75, pointer=pointer, as_of=signed)


def _signed(offering: etree._Element) -> date | None:
    root = offering.getroottree().getroot()
    days = (day_of(each, "signatureDate") for each in root.iter("signature"))
    return max(filter(None, days), default=None)


def _whole(element: etree._Element, path: str) -> int | None:
    amount = number_of(element, path)
    return None if amount is None else int(amount)
