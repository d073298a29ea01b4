"""Sentences made of frames and invented names: what happens, said plainly of any trade.

Vectors of sentences tell the trade before the event, and the labelled companies are in few trades. Made
sentences count in the fit alone: no threshold and no figure rests on them.
"""

import random
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from labelled import Texts

from sightline.domain.signals import KINDS, SignalType

FILLED = 16  # sentences a frame
SEED = 26
_FIRST = (
    "Nor Vel Cal Tam Bri Os Har Quin Lum Ald Fer Mor Tess Pax Ard Kel Sten Var Ely Cor Dun Hex Iv Jor Lin"
).split()
_LAST = (
    "den mark vista ford tona wick lane bridge ora ix field stone well ley mere gate ton ver hall crest"
).split()
_KINDS = (
    "", "", "", "", " Robotics", " Foods", " Bank", " Systems", " Energy", " Health", " Vision", " Labs",
    " Motors", " Software", " Therapeutics", " Logistics", " Insurance", " Mining", " Credit Union",
    " Semiconductor", " Airlines", " Networks", " Group", " Pharma", " Retail", " Media",
)  # fmt: skip
_FIELDS = (
    "warehouse robots", "frozen noodles", "cameras", "cancer drugs", "payroll software", "wind turbines",
    "school books", "car parts", "cloud storage", "dental implants", "farm loans", "machine tools", "coffee",
    "data centers", "video games", "home insurance", "steel pipes", "mobile networks", "batteries",
    "electric trucks", "running shoes", "medical imaging", "freight forwarding", "password security",
    "water treatment", "online advertising", "gene therapy", "satellites", "furniture", "hotel bookings",
    "industrial sensors", "credit cards", "pet food", "solar panels", "chip design", "digital maps", "cement",
    "speech recognition", "vaccines", "commercial aircraft", "streaming", "tax software", "packaging",
)  # fmt: skip
_PEOPLE = (
    "Ann Lee", "Marcus Oduya", "Priya Nair", "Tom Brandt", "Elena Rossi", "James A. Whitfield", "Yuki Mori",
    "Sofia Lindqvist", "David Cohen", "Maria Alvarez", "Peter Novak", "Grace Okafor", "Henry Walsh",
)  # fmt: skip
_TITLES = (
    "Chief Executive Officer", "chief financial officer", "CFO", "Chief Technology Officer",
    "general counsel", "Vice President of Sales", "chief marketing officer", "president",
    "head of product", "COO",
)  # fmt: skip
_PLACES = (
    "Texas", "Poland", "Gdansk", "Ohio", "Singapore", "Lyon", "Mexico", "Toronto", "Leeds", "Thailand",
    "Boston", "Brazil", "Hamburg", "Kenya", "Osaka", "Denver", "Madrid", "India", "Nebraska", "Dublin",
)  # fmt: skip
_PRODUCTS = (
    "Atlas", "Sextant 6", "Beacon", "QT-204", "Harrier", "the Meridian platform", "Orbit 3", "NX-11",
    "Fieldbook", "Studio Pro", "Lantern Cloud", "SmartRoute", "Copper", "its mobile app", "the X5 scanner",
)  # fmt: skip
_SUMS = (
    "$12 million", "$310 million", "€45 million", "18 million pounds", "$1.4 billion", "£8m", "$500,000",
    "65 million dollars", "$75.5 million", "3.2 billion yen",
)  # fmt: skip
_DAYS = ("March 4, 2025", "June 30", "1 October", "April 2026", "January 1, 2027", "12 May 2025")
_PERIODS = (
    "second quarter", "fourth quarter of 2024", "first half", "fiscal year 2023",
    "three months ended June 30", "year",
)  # fmt: skip
_EVENTS_ALONE = "# Events alone"
"""The comment behind which frames teach events, and no places: too many drown the found sentences."""
_SLOT = re.compile(r"\{([A-Z])\}")


def frame_rows() -> Texts:
    """Each frame filled in some ways: seen from both sides where it has two."""
    found = Texts()
    lines = (Path(__file__).parent / "written/frames.tsv").read_text(encoding="utf-8").splitlines()
    split = next(at for at, line in enumerate(lines) if line.startswith(_EVENTS_ALONE))
    places = sum(not each.startswith("#") for each in lines[:split])
    for number, line in enumerate(each for each in lines if not each.startswith("#")):
        has_places = number < places
        kind, realis, frame = line.split("\t")
        chance = random.Random(f"{SEED} {number}")  # noqa: S311
        for turn in range(FILLED if "{" in frame else 1):
            names = {slot: _filler(slot, chance) for slot in _SLOT.findall(frame)}
            text = _SLOT.sub(lambda slot, names=names: names[slot[1]], frame)
            side = "B" if "B" in names and turn % 3 == 2 and _has_side(kind) else "A"
            labels = {"event": kind, "realis": realis}
            if has_places:
                labels["role"] = (
                    "neither" if kind == "none" else "actor" if side == "A" else "other"
                )
            company = names.get(side) or "we"
            found.add(text[0].upper() + text[1:], company, True, labels, f"frame {number}")
    return found


def _has_side(kind: str) -> bool:
    """Whether the other company of a frame is the other side of its event."""
    other = KINDS[SignalType(kind)].other if kind != "none" else None
    return other in ("target", "buyer", "investor", "recipient", "defendant", "client", "auditor")


def _filler(slot: str, chance: random.Random) -> str:
    if slot in "AB":
        return chance.choice(_FIRST) + chance.choice(_LAST) + chance.choice(_KINDS)
    if slot == "N":
        return str(chance.randint(2, 48))
    fillers = {
        "F": _FIELDS, "P": _PEOPLE, "T": _TITLES, "L": _PLACES, "R": _PRODUCTS, "S": _SUMS, "D": _DAYS,
        "Q": _PERIODS,
    }  # fmt: skip
    return chance.choice(fillers[slot])
