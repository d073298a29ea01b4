"""Mentions in one document: from its structure first, then from its sentences."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sightline.domain.mentions import EvidenceDocument, Mention, NamedCompany
from sightline.domain.signals import SignalType
from sightline.reading.dates import days_in
from sightline.signals import form_d
from sightline.signals.definitions import definitions_of
from sightline.signals.earnings import is_results, with_a_figure, with_figures
from sightline.signals.local_reader import LocalReader
from sightline.signals.making import Maker, one_announcement
from sightline.signals.units import DISPUTES, RESULTS_ITEM, Unit, units_of

Read = tuple[Unit, Sequence[Mention]]


def read_document(
    document: EvidenceDocument, company: NamedCompany, reader: LocalReader, *, everyone: bool = False
) -> list[Mention]:  # fmt: skip
    """The mentions of a document, each quote checked to be in it verbatim. `everyone`: of events at
    anyone, not only at the company. Raises EncoderFailed."""
    maker = Maker(company, definitions_of(document.text, company))
    read: list[Read] = []
    for unit in units_of(document, company):
        made = [maker.mention(unit, f) for f in reader.read(unit, company, everyone=everyone)]
        read.append((unit, [each for each in made if not _is_vague(unit, each)]))
    return proven(document, [*form_d.read(document, company), *united(read, company)])


def united(read: Sequence[Read], company: NamedCompany, *, by_model: bool = False) -> list[Mention]:
    """The mentions of units, with the moves of people of each as one, and all that they say of results."""
    found: list[Mention] = []
    for _, mentions in read:
        found += one_announcement([each for each in mentions if not is_results(each)])
    # Items of a feed have days of their own; what else a document says of results is of one period.
    feed = [pair for pair in read if pair[0].kind == "feed"]
    for group in ([pair for pair in read if pair[0].kind != "feed"], *([pair] for pair in feed)):
        found += results_of(group, company, by_model=by_model)
    return found


def _is_vague(unit: Unit, mention: Mention) -> bool:
    """Whether a report's note tells of a dispute, and not when."""
    return unit.kind == "note" and mention.type in DISPUTES and not days_in(mention.quote)


def results_of(read: Sequence[Read], company: NamedCompany, *, by_model: bool) -> list[Mention]:
    """All that some units say of results as one mention: with its figures where a model or the number of an
    item says that they are released, else the surest sentence that has one. Where none has, nothing is said,
    or by a model when results are due."""
    results = [each for _, some in read for each in some if is_results(each)]
    figured = [each for each in results if with_a_figure(each.quote)]
    # Its item also tells of them without a figure.
    if any(unit.item == RESULTS_ITEM and any(map(is_results, some)) for unit, some in read):
        return [_with_all(read, results, company)]
    if by_model:
        return [_with_all(read, results, company)] if figured else results
    sure = [each for each in figured if not each.planned]
    return sorted(sure, key=lambda each: -each.confidence)[:1]


def _with_all(read: Sequence[Read], results: Sequence[Mention], company: NamedCompany) -> Mention:
    """The surest of some results with the figures and the outlook of all."""
    done = [each for each in results if not each.planned]
    best = replace(max(done or results, key=lambda each: each.confidence), realis="happened")
    guidance = [each.quote for _, some in read for each in some if _is_guidance(each)]
    every = [text for unit, some in read if any(map(is_results, some)) for text in unit.texts]
    said = [each.quote for each in done]
    return with_figures(best, company, done=said, expected=guidance, every=every)


def _is_guidance(mention: Mention) -> bool:
    return mention.type == SignalType.GUIDANCE_CHANGED or (is_results(mention) and mention.planned)


def proven(document: EvidenceDocument, mentions: Iterable[Mention]) -> list[Mention]:
    """Those whose quote stands in the document where they say."""
    return [
        each
        for each in mentions
        if each.start is not None and document.text[each.start : each.end] == each.quote
    ]
