"""Mentions in one document: from its structure first, then from its sentences."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, starmap

from sightline.domain.mentions import EvidenceDocument, Mention, NamedCompany
from sightline.domain.signals import SignalType
from sightline.reading.dates import days_in
from sightline.signals import form_d
from sightline.signals.definitions import definitions_of
from sightline.signals.earnings import Results, is_results, with_a_figure, with_figures
from sightline.signals.local_reader import LocalReader
from sightline.signals.making import Maker, one_announcement
from sightline.signals.units import DISPUTES, RESULTS_ITEM, Unit, units_of


def read_document(
    document: EvidenceDocument,
    company: NamedCompany,
    reader: LocalReader,
    *,
    everyone: bool = False,
) -> list[Mention]:
    """The mentions of a document, each quote checked to be in it verbatim. `everyone`: of events at
    anyone, not only at the company. Raises EncoderFailed."""
    found = list(form_d.read(document, company))
    maker = Maker(company, reader.roles, definitions_of(document.text, company))
    read = [
        (unit, [m for m in mentions if not _is_vague(unit, m)])
        for unit in units_of(document, company)
        if (
            mentions := [
                mention
                for f in reader.read(unit, company, everyone=everyone)
                for mention in maker.mentions(unit, f)
            ]
        )
    ]
    return proven(document, [*found, *united(read, company)])


def united(
    read: Sequence[tuple[Unit, Sequence[Mention]]],
    company: NamedCompany,
    *,
    has_dates: bool = False,
) -> list[Mention]:
    """The mentions of units, with the moves of people of each as one, and all that they say of results."""
    found: list[Mention] = []
    for _, mentions in read:
        found += one_announcement([each for each in mentions if not is_results(each)])
    # Items of a feed have days of their own; what else a document says of results is of one period.
    feed = [pair for pair in read if pair[0].kind == "feed"]
    whole = [pair for pair in read if pair[0].kind != "feed"]
    for group in ([whole] if whole else []) + [[pair] for pair in feed]:
        found += results_of(group, company, has_dates=has_dates)
    return found


def _is_vague(unit: Unit, mention: Mention) -> bool:
    """Whether a report's note tells of a dispute, and neither with whom nor when."""
    is_told = mention.counterparty or days_in(mention.quote)
    return unit.kind == "note" and mention.type in DISPUTES and not is_told


def results_of(
    read: Sequence[tuple[Unit, Sequence[Mention]]], company: NamedCompany, *, has_dates: bool
) -> list[Mention]:
    """All that some units say of results as one mention with its figures. Where they have none, nothing is
    said, or, with `has_dates`, when results are due."""
    reported = [each for _, mentions in read for each in mentions]
    results = [each for each in reported if is_results(each)]
    if not any(starmap(_tells_a_figure, read)):
        return results if has_dates else []
    done = [each for each in results if not each.planned]
    guidance = [each.quote for each in reported if _is_guidance(each)]
    units = (unit for unit, mentions in read if any(map(is_results, mentions)))
    texts = list(chain.from_iterable(unit.texts for unit in units))
    said = Results([each.quote for each in done], guidance, texts)
    best = max(done or results, key=lambda each: each.confidence)
    return [with_figures(replace(best, realis="happened"), said, company)]


def _is_guidance(mention: Mention) -> bool:
    return mention.type == SignalType.GUIDANCE_CHANGED or (is_results(mention) and mention.planned)


def _tells_a_figure(unit: Unit, mentions: Sequence[Mention]) -> bool:
    """Whether results are more than a date: a sentence on them has a figure, or the item is for them."""
    return any(
        is_results(each) and (unit.item == RESULTS_ITEM or with_a_figure(each.quote))
        for each in mentions
    )


def proven(document: EvidenceDocument, mentions: Iterable[Mention]) -> list[Mention]:
    """Those whose quote stands in the document where they say."""
    return [
        each
        for each in mentions
        if each.start is not None and document.text[each.start : each.end] == each.quote
    ]
