"""Names and places as EDGAR writes them, in ordinary spelling."""

import re
from functools import cache

from sightline.domain.contacts import PARTICLES
from sightline.domain.names import tidy_name
from sightline.domain.places import state_from_text
from sightline.reading.legal_forms import is_organization_name
from sightline.reading.people import ending_of, word_case

# "PLUM CORP /DE/", "PLUM CORP/CA", "PLUM CO/", "PLUM AG/ADR": EDGAR's
# way to tell two registrants of one name apart.
_TAIL = re.compile(r"\s*[/\\]\s*(?:[A-Z]{2,4}\s*[/\\]?)?\s*$")
# EDGAR drops the stop: "PLUM COM INC".
_DOT_COM = re.compile(
    r"(?<=\w) COM\b(?=$| (?:INC|CORP|LTD|LLC|GROUP|HOLDINGS?|CO|PLC)\b)", re.IGNORECASE
)
_FORM_WORD = re.compile(r"\s(?:Co|Corp|Inc|Ltd|Llc|Plc|Lp)\.?,?$")
_MAX_ACRONYM = 6
_MOSTLY = 0.85

# EDGAR's own codes of places outside the United States, with the ISO 3166 code.
_FOREIGN = """
A0 CA-AB A1 CA-BC A2 CA-MB A3 CA-NB A4 CA-NL A5 CA-NS A6 CA-ON A7 CA-PE A8 CA-QC A9 CA-SK B0 CA-YT
Z4 CA B2 AF Y6 AX B3 AL B4 DZ B5 AS B6 AD B7 AO 1A AI B8 AQ B9 AG C1 AR 1B AM 1C AW C3 AU C4 AT 1D AZ
C5 BS C6 BH C7 BD C8 BB 1F BY C9 BE D1 BZ G6 BJ D0 BM D2 BT D3 BO 1E BA B1 BW D4 BV D5 BR D6 IO D9 BN
E0 BG X2 BF E2 BI E3 KH E4 CM E8 CV E9 KY F0 CF F2 TD F3 CL F4 CN F6 CX F7 CC F8 CO F9 KM G0 CG Y3 CD
G1 CK G2 CR L7 CI 1M HR G3 CU G4 CY 2N CZ G7 DK 1G DJ G9 DM G8 DO H1 EC H2 EG H3 SV H4 GQ 1J ER 1H EE
H5 ET H7 FK H6 FO H8 FJ H9 FI I0 FR I3 GF I4 PF 2C TF I5 GA I6 GM 2Q GE 2M DE J0 GH J1 GI J3 GR J4 GL
J5 GD J6 GP GU GU J8 GT Y7 GG J9 GN S0 GW K0 GY K1 HT K4 HM X4 VA K2 HN K3 HK K5 HU K6 IS K7 IN K8 ID
K9 IR L0 IQ L2 IE Y8 IM L3 IL L6 IT L8 JM M0 JP Y9 JE M2 JO 1P KZ M3 KE J2 KI M4 KP M5 KR M6 KW 1N KG
M7 LA 1R LV M8 LB M9 LS N0 LR N1 LY N2 LI 1Q LT N4 LU N5 MO 1U MK N6 MG N7 MW N8 MY N9 MV O0 ML O1 MT
1T MH O2 MQ O3 MR O4 MU 2P YT O5 MX 1K FM 1S MD O9 MC P0 MN Z5 ME P1 MS P2 MA P3 MZ E1 MM T6 NA P5 NR
P6 NP P7 NL P8 CW 1W NC Q2 NZ Q3 NI Q4 NE Q5 NG Q6 NU Q7 NF 1V MP Q8 NO P4 OM R0 PK 1Y PW 1X PS R1 PA
R2 PG R4 PY R5 PE R6 PH R8 PN R9 PL S1 PT PR PR S3 QA S4 RE S5 RO 1Z RU S6 RW Z0 BL U8 SH U7 KN U9 LC
Z1 MF V0 PM V1 VC Y0 WS S8 SM S9 ST T0 SA T1 SN Z2 RS T2 SC T8 SL U0 SG 2B SK 2A SI D7 SB U1 SO T3 ZA
1L GS U3 ES F1 LK V2 SD V3 SR L9 SJ V6 SZ V7 SE V8 CH V9 SY F5 TW 2D TJ W0 TZ W1 TH Z3 TL W2 TG W3 TK
W4 TO W5 TT W6 TN W8 TR 2E TM W7 TC 2G TV W9 UG 2H UA C0 AE X0 GB 2J UM X3 UY 2K UZ 2L VU X5 VE Q1 VN
D8 VG VI VI X8 WF U5 EH T7 YE Y4 ZM Y5 ZW
"""


def registrant_name(name: str) -> str:
    """A registrant's name in ordinary case, without the "/DE/" that EDGAR adds to some."""
    plain = _TAIL.sub("", name.strip()) or name.strip()
    plain = _DOT_COM.sub(".COM" if plain.isupper() else ".com", plain)
    head = _FORM_WORD.sub("", plain)
    # "PLUM & PEAR Co" shouts as well; "PQR Corp" and other short words are their owner's own.
    if head != plain and head.isupper() and (" " in head or len(head) > _MAX_ACRONYM):
        plain = plain.upper()
    letters = [letter for letter in plain if letter.isalpha()]
    if " " in plain and sum(map(str.isupper, letters)) > _MOSTLY * len(letters) > 6:
        plain = plain.upper()  # "McQUILL'S CORPORATION"
    return re.sub(r"\.com\b", ".com", tidy_name(plain), flags=re.IGNORECASE)


def edgar_place(code: str | None, description: str | None = None) -> tuple[str | None, str | None]:
    """Country code and state of EDGAR's place code ("CA", "A6", "2M"); None for what it leaves open."""
    key = (code or "").strip().upper()
    foreign = _foreign().get(key)
    if foreign is not None:
        country, _, region = foreign.partition("-")
        return country, region or None
    state = state_from_text(key, "US") if key else None
    if state is None and description:
        state = state_from_text(description, "US")
    return ("US", state.label) if state is not None else (None, None)


def insider_name(name: str) -> str:
    """A person's name from the last-name-first spelling of ownership forms: "Quill Ada".

    "VAN DER BERG ANNA M" keeps its particles together; names of companies stay in their order.
    """
    clean = " ".join(name.replace(",", " ").split())
    if is_organization_name(clean):
        return tidy_name(clean)
    words = clean.split(" ")
    if len(words) < 2:
        return tidy_name(clean)
    suffix = [ending for word in words if (ending := ending_of(word))]
    words = [word for word in words if not ending_of(word)]
    last = 1
    while last < len(words) - 1 and words[last - 1].lower() in PARTICLES:
        last += 1
    ordered = words[last:] + words[:last]
    return " ".join([*(word_case(word) for word in ordered), *suffix])


@cache
def _foreign() -> dict[str, str]:
    words = _FOREIGN.split()
    return dict(zip(words[::2], words[1::2], strict=True))
