"""What one document says that happened at a company: structure first, then its sentences."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sightline.domain.mentions import EvidenceDocument, Mention, NamedCompany
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
    """The mentions of a document, each quote checked to be in it word for word. `everyone`: of events at
    anyone, not only at the company. Raises EncoderFailed."""
    found = list(form_d.read(document, company))
    maker = Maker(company, reader.roles, definitions_of(document.text, company))
    read = [
        (unit, [m for m in mentions if not _is_vague(unit, m)])
        for unit in units_of(document, company)
        if (
            mentions := [
                maker.mention(unit, f) for f in reader.read(unit, company, everyone=everyone)
            ]
        )
    ]
    for _, mentions in read:
        found += one_announcement([each for each in mentions if not is_results(each)], company)
    # Items of a feed have days of their own; what else a document says of results is of one period.
    feed = [pair for pair in read if pair[0].kind == "feed"]
    whole = [pair for pair in read if pair[0].kind != "feed"]
    for group in ([whole] if whole else []) + [[pair] for pair in feed]:
        found += results_of(group, company)
    return proven(document, found)


def _is_vague(unit: Unit, mention: Mention) -> bool:
    """Whether a report's note tells of a dispute, and neither with whom nor when."""
    is_told = mention.counterparty or days_in(mention.quote)
    return unit.kind == "note" and mention.type in DISPUTES and not is_told


def results_of(
    read: Sequence[tuple[Unit, Sequence[Mention]]], company: NamedCompany
) -> list[Mention]:
    """All that some units say of results as one mention with its figures; none where they say nothing."""
    results = [each for _, mentions in read for each in mentions if is_results(each)]
    if not results:
        return []
    done = [each for each in results if not each.planned]
    said = Results(
        [each.quote for each in done],
        [each.quote for each in results if each.planned],
        [
            text
            for unit, mentions in read
            if any(is_results(each) for each in mentions)
            for text in unit.texts
        ],
    )
    if not any(_tells_a_figure(unit, mentions) for unit, mentions in read):
        return []
    best = max(done or results, key=lambda each: each.confidence)
    return [with_figures(replace(best, realis="happened"), said, company)]


def _tells_a_figure(unit: Unit, mentions: Sequence[Mention]) -> bool:
    """Whether results are more than a date: a sentence on them has a figure, or the item is for them."""
    return unit.item == RESULTS_ITEM or any(
        is_results(each) and with_a_figure(each.quote) for each in mentions
    )


def proven(document: EvidenceDocument, mentions: Iterable[Mention]) -> list[Mention]:
    """Those whose quote stands in the document where they say."""
    return [
        each
        for each in mentions
        if each.start is not None and document.text[each.start : each.end] == each.quote
    ]
