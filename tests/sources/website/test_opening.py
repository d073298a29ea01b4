"""Bytes become text by what they are; what is no page is refused with a sentence."""

import codecs
import contextlib
import gzip
import time

import pytest

from sightline.domain.evidence import Body
from sightline.sources.charsets import decode
from sightline.sources.website.opening import NotAPage, open_page
from sightline.sources.website.page import parse_page
from tests.growth import grows_linearly
from tests.sources.website.answers import body

PAGE = "<html><body><p>Größe — naïve “Süßwaren”</p></body></html>"


@pytest.mark.parametrize(
    ("content", "declared", "charset"),
    [
        (PAGE.encode(), None, "utf-8"),
        (PAGE.encode(), "iso-8859-1", "utf-8"),
        (codecs.BOM_UTF8 + PAGE.encode(), "windows-1251", "utf-8"),
        (codecs.BOM_UTF16_LE + PAGE.encode("utf-16-le"), None, "utf-16-le"),
        (codecs.BOM_UTF16_BE + PAGE.encode("utf-16-be"), "utf-8", "utf-16-be"),
        (PAGE.encode("utf-16-le"), None, "utf-16-le"),
        (PAGE.encode("cp1252"), "iso-8859-1", "cp1252"),
        (PAGE.encode("cp1252"), "utf-8", "cp1252"),
        (PAGE.encode("cp1252"), None, "cp1252"),
        (PAGE.encode("cp1252"), "no-such-charset", "cp1252"),
    ],
)
def test_characters_are_read_right(content: bytes, declared: str | None, charset: str) -> None:
    text, found, _ = decode(content, declared)
    assert text == PAGE
    assert found == charset


def test_a_declaration_in_the_page_counts_after_the_header() -> None:
    source = (
        "<meta http-equiv='Content-Type' content='text/html; charset=windows-1251'><p>Мельница</p>"
    )
    assert decode(source.encode("cp1251"), None)[0] == source
    japanese = "<meta charset=Shift_JIS><p>製粉所の機械</p>"
    assert decode(japanese.encode("cp932"), None)[0] == japanese


def test_a_few_broken_bytes_do_not_change_the_charset() -> None:
    content = ("<p>" + "Größe " * 50 + "</p>").encode() + b"\xff"
    text, charset, note = decode(content, "utf-8")
    assert charset == "utf-8"
    assert "Größe" in text
    assert note == "1 broken characters."


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"  \n\x00 ", "empty"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 50, "PNG"),
        (b"PK\x03\x04....", "ZIP"),
        (gzip.compress(b"<html>", mtime=0), "gzip"),
        (b'{"jobs": [{"title": "<p>Clerk</p>"}]}', "JSON"),
        (b"[1, 2]", "JSON"),
        (b"<?xml version='1.0'?><rss version='2.0'><channel/></rss>", "feed"),
        (b"<?xml version='1.0'?><urlset><url/></urlset>", "sitemap"),
        (b"<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>", "XML"),
        (b"User-agent: *\nDisallow: /", "plain text"),
        (bytes(range(32)) * 40 + b"<p>", "Binary"),
    ],
)
def test_other_content_is_refused_with_a_sentence(content: bytes, words: str) -> None:
    with pytest.raises(NotAPage, match=words):
        open_page(body(content))
    parsed = parse_page(body(content))
    assert parsed.text == ""
    assert parsed.observations == ()
    assert words in parsed.notes[0]


@pytest.mark.parametrize(
    "content",
    [
        b"<html><body>" + b"<div>" * 20_000 + b"<p>deep</p>",
        b"<p>cut in the midd",
        b"<table><tr><td><p>a\x00b</table></span></div>",
        b"<html><script>var a = '</scr' + 'ipt>';<p>",
        b"<p" + b" a='b'" * 20_000 + b">x</p>",
        (
            "<html><body><p>" + "\ud83d".encode("utf-16-le", "surrogatepass").decode("latin-1")
        ).encode(),
        b"<a href='http://[broken'>x</a><a href='https://exa mple/'>y</a><img src='http://a:b:c/'>",
    ],
)
def test_broken_markup_is_read_as_far_as_it_goes(content: bytes) -> None:
    parse_page(body(content))


def test_nul_bytes_vanish() -> None:
    assert "mill" in parse_page(body(b"<html><body><p>mi\x00ll and more words</p>")).text


@pytest.mark.parametrize(
    ("words", "language", "charset"),
    [
        ("Мы делаем мельницы с давних времён. Наш завод находится в Москве. ", None, "cp1251"),
        ("Мы делаем мельницы с давних времён. Наш завод находится в Москве. ", None, "koi8_r"),
        ("Κατασκευάζουμε μύλους από το 1950 σε όλη την Ελλάδα. ", None, "cp1253"),
        ("当社は製粉機を製造し、全国で販売しています。本社は東京都にあります。", None, "cp932"),
        ("Vyrábíme mlýny a příliš žluťoučký kůň je poháněl. ", "cs", "cp1250"),
        ("Değirmen üretiyor ve İstanbul, Şişli'de satıyoruz. ", "tr", "cp1254"),
        ("אנחנו בונים טחנות קמח ומוכרים אותן בכל הארץ. ", "he", "cp1255"),
    ],
)
def test_pages_without_a_label_are_read_by_language_and_bytes(
    words: str, language: str | None, charset: str
) -> None:
    lang = f" lang={language}" if language else ""
    source = f"<html{lang}><title>{words[:12]}</title><body><p>{words * 3}</p></body></html>"
    text, found, note = decode(source.encode(charset), None)
    assert text == source
    assert found == charset
    assert note == f"Read as {charset}."


@pytest.mark.parametrize(
    "attributes",
    [
        " ".join(f"a{index}=1" for index in range(60_000)),
        " ".join(f"a{index}='<b>'" for index in range(60_000)),
        " ".join(f"\"a{index}'" for index in range(60_000)),
        "/".join(f"a{index}" for index in range(60_000)),
    ],
)
def test_a_tag_overfull_of_attributes_does_not_hold_up_the_parser(attributes: str) -> None:
    """The library compares each attribute with each: without a bound this takes 5 to 50 seconds."""
    started = time.process_time()
    opened = open_page(body(f"<html><body><p {attributes}>About mills.</p></body></html>"))
    assert time.process_time() - started < 2.0
    assert opened.notes == ("The attributes of 1 overfull tags were left out.",)
    assert "About mills." in "".join(opened.tree.itertext())


def test_long_attributes_stay() -> None:
    state = "words of a page's state and more words " * 5000
    opened = open_page(body(f'<html><body><div data-state="{state}">Hello</div></body></html>'))
    assert opened.notes == ()
    assert opened.tree.xpath("string(//div/@data-state)") == state


def test_json_that_holds_markup_is_no_page() -> None:
    with pytest.raises(NotAPage, match="JSON"):
        open_page(body('{"page": "<html><body>Hello</body></html>"}'))


def test_what_the_parser_drops_for_its_depth_is_said() -> None:
    parsed = parse_page(body("<html><body><p>Above.</p>" + "<div>" * 5000 + "Below."))
    assert "What lies deeper than 2,000 elements was not read." in parsed.notes


FULL = " ".join(f"a{n}" for n in range(3000))


@pytest.mark.parametrize(
    "hidden",
    [
        f"<script>if (a<b c='</script><p {FULL}>seen</p><i x='>",
        f"<!-- <b c=' --><p {FULL}>seen</p><i x='>",
        f'<p {FULL} x="</script" {FULL} y=">" {FULL}>seen</p>',
        f"<p><script>for (i = 0; i<n; i++) {{ {FULL} }}</script>seen</p>",
    ],
)
def test_overfull_tags_are_found_wherever_they_hide_and_take_no_text_along(hidden: str) -> None:
    opened = open_page(body(f"<html><body><h1>One</h1>{hidden}<p>Two</p></body></html>"))
    assert max(len(each.attrib) for each in opened.tree.iter()) < 2000
    assert "overfull" in opened.notes[0]
    assert "seen" in "".join(opened.tree.itertext())


@pytest.mark.parametrize("unit", ["<a", "<a ", "<a/b=", '<a x="', "<a" + "b" * 200 + " ", "</a ="])
def test_tags_that_never_end_are_told_in_time_that_grows_with_the_page(unit: str) -> None:
    def read(page: Body) -> None:
        with contextlib.suppress(NotAPage):
            open_page(page)

    def endless(size: int) -> Body:
        return body("<html><body>" + unit * (size // len(unit)))

    assert grows_linearly(read, endless, size=50_000), "a pattern that starts again at each tag"
