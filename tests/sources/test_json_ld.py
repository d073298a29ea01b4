"""JSON-LD as real pages have it."""

import pytest

from sightline.sources.json_ld import nodes, read_json_ld, text_of, types_of

GOOD = {"@type": "Organization", "name": "Mill & Co"}


@pytest.mark.parametrize(
    "source",
    [
        '{"@type": "Organization", "name": "Mill & Co"}',
        '[{"@type": "Organization", "name": "Mill & Co"}]',
        '{"@type": "Organization", "name": "Mill & Co",}',
        '{"@type": "Organization", /* who */ "name": "Mill & Co" // so\n}',
        '<!-- {"@type": "Organization", "name": "Mill & Co"} -->',
        '<!-- made by a tool -->\n{"@type": "Organization", "name": "Mill & Co"}',
        '//<![CDATA[\n{"@type": "Organization", "name": "Mill & Co"}\n//]]>',
        "{&quot;@type&quot;: &quot;Organization&quot;, &quot;name&quot;: &quot;Mill &amp; Co&quot;}",
        '{"@type": "Organization", "name": "Mill & Co"};',
        '\ufeff{"@type": "Organization", "name": "Mill & Co"} rest',
    ],
)
def test_usual_mistakes_are_mended(source: str) -> None:
    assert read_json_ld(source) == [GOOD]


def test_values_one_after_the_other() -> None:
    assert read_json_ld('{"a": 1}\n{"b": 2}') == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize(
    "source", ["", "null", "false", "{", "not json", "[" * 100_000, '{"a": ' * 5000]
)
def test_rubbish_gives_nothing(source: str) -> None:
    assert read_json_ld(source) == []


def test_line_breaks_in_strings_and_comment_marks_in_strings_stay() -> None:
    assert read_json_ld('{"d": "one\ntwo", "u": "https://a.example/x",}') == [
        {"d": "one\ntwo", "u": "https://a.example/x"}
    ]


def test_graphs_are_opened() -> None:
    values = [{"@graph": [{"@type": "WebSite"}, {"@type": ["schema:Organization"]}]}]
    assert [(pointer, types_of(node)) for pointer, node in nodes(values)] == [
        ("/0/@graph/0", {"WebSite"}),
        ("/0/@graph/1", {"Organization"}),
    ]


def test_text_of_lists_objects_and_markup() -> None:
    assert text_of([{"name": "A &amp; <b>B</b>"}]) == "A & B"
    assert text_of({"@value": 5}) == "5"
    assert text_of(True) is None
