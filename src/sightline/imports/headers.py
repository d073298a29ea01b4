"""What the words of a column header say: which of our fields the column may hold, and how surely.

Headers are compared squeezed (letters and digits only, no accents), so "# Employees",
"numberOfEmployees" and "Number of employees" are one.
"""

import re
from functools import lru_cache

from sightline.domain.names import fold
from sightline.imports.fields import FieldName

# field -> header words, the surest first; "word:70" says 70 % where it says nothing else than 95 %.
# Salesforce, HubSpot, ZoomInfo, Crunchbase, LinkedIn exports, stock lists, then German, French,
# Spanish, Italian, Dutch and Portuguese.
_WORDS: dict[FieldName, str] = {
    "company_name": """companyname company accountname account:90 organizationname organization
      organisationname organisation employer employername business:80 businessname businessentity:80
      firm:90 firmname name:90 legalname:85 legalentityname:85 legalnamename:85 fullname:60
      registeredname:80 entityname:80 clientname:85 client:75 customername:85 customer:75
      suppliername:80 vendorname:80 vendor:75 brand:65 brandname:65 startup:85 startupname:90
      security:75 securityname:80 issuer:80 issuername:85 title:55 displayname:80 manufacturer:70
      propertiesname:92 tradename:70 dbaname:65 tradingname:65 registrant:75 registrantname:75
      firma firmenname firmierung:90 unternehmen unternehmensname gesellschaft:85 kunde:75 konto:60
      entreprise societe nomentreprise nomdelentreprise nomsociete nomdelasociete raisonsociale nom:85
      denomination:80 denominationsociale empresa nombreempresa nombredelaempresa compania
      nombrecompania razonsocial nombre:85 azienda nomeazienda ragionesociale nome:80 bedrijf
      bedrijfsnaam naam:80 nomedaempresa nomeempresa razaosocial""",
    "website": """website websiteurl web:85 webpage webaddress webadres homepage homepageurl domain
      domainname websitedomain companydomain emaildomain:80 url:80 urls:60 site:75 siteurl host:70
      internet:80 internetsite link:45 weburl corporateurl webseite internetseite internetadresse
      webadresse siteweb siteinternet paginaweb sitioweb web1 sitoweb sito:85 domaine dominio
      domeinnaam""",
    "alternative_names": """alternativenames alternativename alternatenames alternatename aliases
      alias akas aka alsoknownas othernames othernamesname:85 tradestyle tradestyles dba:85
      doingbusinessas transliteratedothernames:80 synonyms:75 aliasnamen alternativnamen""",
    "former_names": """formernames formername previousnames previousname oldname oldnames
      formerlyknownas fka ehemaligernamen anciensnoms nombresanteriores""",
    "alternative_domains": """alternativedomains alternatedomains otherdomains additionaldomains
      domainaliases secondarydomains domains:70""",
    "external_id": """id:80 accountid companyid recordid externalid salesforceid sfid sfdcid crmid
      accountnumber:60 hsobjectid hubspotid zoominfoid zoominfocompanyid organizationid
      organisationid entityid:75 accountid18 companyrecordid uuid:75 guid:70 key:50 customerid
      customernumber:80 clientid:80 vendorid:80 supplierid:80 kundennummer kundennr externeid
      companynumber:65 permid:70""",
    "cik": "cik ciknumber cikstr seccik centralindexkey",
    "lei": "lei leicode legalentityidentifier attributeslei",
    "duns": "duns dunsnumber dunsno dnbdunsnumber dandbnumber",
    "stock_ticker": """stockticker stocksymbol ticker tickersymbol symbol:90 tickers:70 boersenkuerzel
      kuerzel:60 borsenkurzel symbole:85 simbolo:80""",
    "stock_exchange": """stockexchange exchange:90 stockexchangename stockexchangesymbol
      exchangename exchangesymbol exchangeshortname mic:70 listing:55 boerse borse bourse bolsa""",
    "stock_currency": "stockcurrency tradingcurrency listingcurrency currency:60",
    "public_company": """publiccompany ispublic public:85 publiclytraded listed:80 islisted
      ownership:70 ownershiptype:75 companytype:70 type:40 publicorprivate publicprivate
      ipostatus:85 companystatus:40""",
    "country": """country countryname countrycode countryiso countryiso2 countryiso3 nation:80
      countryregion:85 countryterritory land:85 staat:55 pays pais paese nazione
      countryofheadquarters countryofincorporation:55 landcode jurisdiction:50
      regions:45 region:40""",
    "hq_city": """city town:90 municipality:80 locality:85 ort:85 stadt ville ciudad localidad citta
      plaats:85 cidade hqcity""",
    "hq_state": """state stateprovince province stateregion stateorprovince statename:85 region:70
      statecode county:40 bundesland departement:60 provincia estado:80 hqstate regione""",
    "hq_address": """street streetaddress address:80 addressline1 address1 street1 addr addresslines
      addressline addressstreet strasse anschrift:80 adresse:80 rue direccion:80 calle indirizzo:80
      endereco:80 adres:80""",
    "hq_postcode": """postcode postalcode zip zipcode zippostalcode postalzip zippostal plz postleitzahl
      codepostal codigopostal cp:50 cap:40 cep:50 addresspostalcode""",
    "place": """location:90 locations:80 alllocations headquarterslocation headquarters:90 headquarter:90
      hq:90 hqlocation place:75 geography:50 baseof:50 citystate citystatecountry hauptsitz sitz:80
      standort:85 siege:80 siegesocial sede:80 ubicacion:80 addresslocation""",
    "industry": """industry industryname industries:85 subindustry:97 industrycategory:90 industrygroup:88
      industrysegment:85 primaryindustry primaryindustries industryclassification gicssubindustry:97
      gicsindustry:96 vertical:80 verticals:70 siccodedescription sicdesc:80 sicdescription:85
      naicsdesc:80 naicsdescription:85 businesscategory:75 category:55 categories:50 branche
      industrie:90 wirtschaftszweig secteurdactivite:90 activite:75 sectoractividad industria
      settore:80 ramo:70 subsector:80 industrylist""",
    "sector": "sector sectors:80 gicssector sectorname economicsector sektor:90 secteur:85",
    "sic": "sic siccode siccodes primarysic primarysiccode sic4 sicnumber",
    "naics": "naics naicscode naicscodes primarynaics primarynaicscode naics6 naicsnumber",
    "full_time_employees": """employees numberofemployees employeecount employeescount headcount
      fulltimeemployees noofemployees numemployees nemployees totalemployees employeetotal teamsize:92
      staff:80 staffcount staffsize companysize:90 size:75 workforce employeesizecategory
      employeecountrange employeerange employeesrange employeesize employeeband
      numberofemployeesrange companysizerange companyheadcount mitarbeiter mitarbeiterzahl
      anzahlmitarbeiter mitarbeiteranzahl beschaftigte beschaeftigte effectif effectifs
      nombredesalaries nombredemployes salaries:70 empleados numerodeempleados plantilla:70
      dipendenti numerodipendenti medewerkers aantalmedewerkers funcionarios numerodefuncionarios""",
    "revenue": """revenue revenues annualrevenue annualrevenues totalrevenue totalrevenues sales:75
      annualsales turnover:85 revenuerange revenuecategory annualrevenuerange estimatedrevenue
      estimatedrevenuerange revenueband revenueusd revenuemillions revenueinmillions estannualrevenue
      salesrevenue netsales:80 umsatz jahresumsatz umsatzerlose umsatzerloese chiffredaffaires
      chiffreaffaires ca:45 ingresos ingresosanuales facturacion ventas:75 fatturato omzet receita
      faturamento""",
    "market_cap": """marketcap marketcapitalization marketcapitalisation marketvalue mktval mktcap
      marketvalueasofmarch marktkapitalisierung capitalisationboursiere""",
    "ceo": """ceo ceoname chiefexecutive chiefexecutiveofficer generalmanager:50 geschaeftsfuehrer:80
      geschaftsfuhrer:80 dirigeant:70 pdg:75 directorgeneral:60""",
    "description": """description companydescription longdescription:96 fulldescription:96
      shortdescription:85 oneliner:80 tagline:70 summary:75 about:80 aboutus:80 overview:75
      businessdescription companyoverview beschreibung descriptif:85 descripcion descrizione
      omschrijving descricao""",
    "tags": "tags tag:80 keywords:70 labels:75 schlagworte:85 etiquetas:85 stichworte:85",
    "profile_network_url": """linkedin linkedinurl linkedincompanyurl linkedinpage linkedincompanypage
      linkedinprofile linkedinlink companylinkedinurl companylinkedin linkedincompanyprofile
      linkedinbio:40 profilenetworkurl professionalnetworkurl""",
}

# Words that say whose value it is; they do not change what it is. The number moves the confidence.
_CONTEXT = {
    "hq": 4, "headquarters": 4, "headquarter": 4, "headquartersaddress": 4, "company": 2,
    "account": 1, "organization": 1, "organisation": 1, "corporate": 2, "primary": 2, "main": 1,
    "billing": 3, "billingaddress": 3, "office": -4, "registered": -12, "legal": -12,
    "legaladdress": -12, "shipping": -25, "shippingaddress": -25, "mailing": -20, "mailingaddress": -20,
    "properties": 0, "firma": 1, "entity": 0, "attributes": 0, "business": 0, "gics": 2, "global": -2,
    "address": -2, "employer": 1, "worksite": -8, "current": 0, "latest": 0, "the": 0, "of": 0,
}  # fmt: skip
# Inside another thing these words are about that thing ("owner.name"), unless it is a mere wrapper.
_GENERIC = frozenset(
    {"name", "id", "uuid", "guid", "key", "title", "url", "link", "type", "status", "description", "summary",
     "tags", "label", "domain", "fullname", "displayname", "category", "size", "host", "web", "symbol",
     "nom", "nombre", "nome", "naam"}
)  # fmt: skip
_WRAPPERS = frozenset(
    {"data", "attributes", "properties", "record", "company", "account", "organization", "organisation",
     "entity", "meta", "fields", "item", "node", "source", "details", "info", "profile", "firmographics"}
)  # fmt: skip
_ASIDE = re.compile(
    r"[(\[{].*?[)\]}]|\bin\s+(?:us\$?|usd|eur|millions?|thousands?|billions?|m|k)\b.*$", re.I
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_FROM_NESTING = 3  # percent a nested column loses per level that had to be left out


@lru_cache(maxsize=1)
def _lexicon() -> dict[str, tuple[tuple[FieldName, int], ...]]:
    lexicon: dict[str, list[tuple[FieldName, int]]] = {}
    for field, words in _WORDS.items():
        for entry in words.split():
            word, _, percent = entry.partition(":")
            lexicon.setdefault(word, []).append((field, int(percent or 95)))
    return {word: tuple(fields) for word, fields in lexicon.items()}


@lru_cache(maxsize=4096)
def header_meanings(header: str) -> tuple[tuple[FieldName, float], ...]:
    """The fields a header may stand for with a confidence of 0 to 1, the surest first.

    Of a nested name ("meta.hq.city") the longest ending that says something counts.
    """
    levels = [level.removesuffix("[]") for level in header.split(".")]
    wrapped = {_squeezed(level) for level in levels[:-1]} <= _WRAPPERS
    is_of_another_thing = _squeezed(levels[-1]) in _GENERIC and not wrapped
    for skipped in range(len(levels)):
        words = _words(" ".join(levels[skipped:]))
        found = _exact(words)
        if not found:
            found = [] if is_of_another_thing else _meanings(words)
        elif skipped == len(levels) - 1 and is_of_another_thing:
            return ()
        if found:
            loss = min(skipped, 3) * _FROM_NESTING
            return tuple((field, max(percent - loss, 5) / 100) for field, percent in found)
    return ()


def knows_header(header: str) -> bool:
    """Whether the words of a header are any we know."""
    return bool(header_meanings(header))


def _squeezed(phrase: str) -> str:
    return "".join(_words(phrase))


def _words(phrase: str) -> list[str]:
    return fold(_HUMP.sub(" ", _ASIDE.sub(" ", phrase).replace("_", " "))).split()


def _exact(words: list[str]) -> list[tuple[FieldName, int]]:
    found = _lexicon().get("".join(words), ())
    return sorted(found, key=lambda pair: -pair[1])


def _meanings(words: list[str]) -> list[tuple[FieldName, int]]:
    shift = 0
    rest = words
    while rest:
        found = _lexicon().get("".join(rest))
        if found:
            return sorted(((f, min(p + shift, 99)) for f, p in found), key=lambda pair: -pair[1])
        if rest[0] not in _CONTEXT:
            # "hqcity" and "hqzip" are written in one word.
            bare = "".join(rest)
            found = _lexicon().get(bare[2:]) if bare.startswith("hq") and shift == 0 else None
            return sorted(((f, min(p + 2, 99)) for f, p in found or ()), key=lambda pair: -pair[1])
        shift += _CONTEXT[rest[0]]
        rest = rest[1:]
    return []
