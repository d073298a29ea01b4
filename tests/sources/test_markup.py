"""HTML as a tree of bounded depth."""

import pytest

from sightline.sources.markup import DEEPEST, html_tree


def depth_of_last_text(markup: str) -> tuple[str, int]:
    body = html_tree(markup).body
    assert body is not None
    node, depth = body, 0
    while node.last_child is not None:
        node, depth = node.last_child, depth + 1
    return (node.text_content or node.tag or "").strip(), depth


@pytest.mark.parametrize("tag", ["div", "b", "rt", "optgroup", "table><tr><td", "button><p"])
def test_what_nests_too_deep_is_left_out(tag: str) -> None:
    text, depth = depth_of_last_text(f"<p>kept</p>{f'<{tag}>' * 20_000}lost")
    assert text != "lost"
    assert depth <= 4 * DEEPEST
    first = html_tree(f"<p>kept</p>{f'<{tag}>' * 20_000}lost").css_first("p")
    assert first is not None
    assert first.text() == "kept"


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
    assert depth_of_last_text(markup)[0] == "last"
