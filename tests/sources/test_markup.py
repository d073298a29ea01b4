"""HTML as a tree of bounded depth."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from sightline.sources.markup import DEEPEST, html_tree


def depth_of_last_text(tree: LexborHTMLParser) -> tuple[str, int]:
    body = tree.body
    assert body is not None
    node, depth = body, 0
    while node.last_child is not None:
        node, depth = node.last_child, depth + 1
    return (node.text_content or node.tag or "").strip(), depth


@pytest.mark.parametrize("tag", ["div", "b", "rt", "optgroup", "table><tr><td", "button><p"])
def test_tags_that_nest_too_deep_are_left_out(tag: str) -> None:
    tree = html_tree(f"<p>kept</p>{f'<{tag}>' * 20_000}deep")
    text, depth = depth_of_last_text(tree)
    assert text == "deep"
    assert depth < 5 * DEEPEST
    first = tree.css_first("p")
    assert first is not None
    assert first.text() == "kept"


def test_what_follows_deep_tags_is_where_it_was() -> None:
    tree = html_tree(f"{'<div>' * 5_000}deep{'</div>' * 5_000}<p>last")
    last = tree.css_first("body > p")
    assert last is not None
    assert last.text() == "last"


@pytest.mark.parametrize(
    "markup",
    [
        "<p>one" * 5_000 + "<p>last",
        "<ul>" + "<li>one<br>" * 5_000 + "<li>last",
        "<div><span>one</span></div>" * 5_000 + "<p>last",
        "<script>" + "a('<div><div>');" * 5_000 + "</script><p>last",
        """<div data-x='{"html": "<div>a<\\/div>"}'>b</div>""" * 2_000 + "<p>last",
        "</div>" * 5_000 + "<p>last",
    ],
    ids=["paragraphs", "entries", "closed", "script", "data", "closing alone"],
)
def test_what_only_looks_deep_is_whole(markup: str) -> None:
    assert depth_of_last_text(html_tree(markup))[0] == "last"
