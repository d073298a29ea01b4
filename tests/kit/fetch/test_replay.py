"""A recorded web answers as the real one did: newest reply, or as of a day; 304, redirects, robots."""

import gzip
import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sightline.kit.fetch.answer import Validators
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.kit.fetch.errors import (
    AddressIsForbidden,
    ArchiveIsDamaged,
    BodyIsTooLarge,
    NotInArchive,
    RobotsForbid,
    TooManyRedirects,
)
from sightline.kit.fetch.politeness import ProcessPace
from sightline.kit.fetch.replay import Archive, ReplaySource, read_instant, read_web_setting
from tests.kit.fetch.sites import PUBLIC, Names, Network, fetcher, response, running

SHOP = "https://shop.test"


def record(folder: Path, *rows: dict[str, Any], name: str = "index.jsonl") -> Path:
    """Write an archive; `body` in a row becomes its file."""
    lines = []
    for number, row in enumerate(rows):
        line = {
            "method": "GET",
            "status": 200,
            "headers": {"Content-Type": "text/html; charset=utf-8"},
            "file": None,
            "encoding": None,
            "fetched_at": None,
            **row,
        }
        if "body" in line:
            body = line.pop("body")
            stored = gzip.compress(body, mtime=0) if line["encoding"] == "gzip" else body
            line["file"] = f"files/{number}.body"
            (folder / "files").mkdir(exist_ok=True)
            (folder / line["file"]).write_bytes(stored)
            line.setdefault("bytes", len(body))
            line.setdefault("sha256", hashlib.sha256(body).hexdigest())
        lines.append(json.dumps(line))
    (folder / name).write_text("\n".join(lines) + "\n")
    return folder


def replaying(folder: Path, at: str = "", **config: Any) -> Fetcher:
    return Fetcher(FetcherConfig(web=f"replay:{folder}{f'?at={at}' if at else ''}", **config))


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("live", None),
        ("replay:a/b", ReplaySource(Path("a/b"))),
        (
            "replay:/a?at=2026-01-31",
            ReplaySource(Path("/a"), datetime(2026, 1, 31, 23, 59, 59, 999_999, UTC)),
        ),
        (
            "replay:/a?at=2026-01-31T10:00:00Z",
            ReplaySource(Path("/a"), datetime(2026, 1, 31, 10, tzinfo=UTC)),
        ),
    ],
)
def test_the_setting_is_read(text: str, source: ReplaySource | None) -> None:
    assert read_web_setting(text) == source


@pytest.mark.parametrize(
    "text",
    ["", "Live", "replay:", "replay", "http://x", "replay:/a?at=", "replay:/a?on=2026-01-01"],
)
def test_a_wrong_setting_is_said(text: str) -> None:
    with pytest.raises(ValueError, match=r"replay|ISO"):
        read_web_setting(text)


def test_instants_without_a_zone_are_utc() -> None:
    assert read_instant("2026-01-31T10:00:00") == datetime(2026, 1, 31, 10, tzinfo=UTC)
    assert read_instant("2026-01-31T10:00:00+02:00") == datetime(2026, 1, 31, 8, tzinfo=UTC)


async def test_a_recorded_page_is_an_answer(tmp_path: Path) -> None:
    headers = {"Content-Type": "text/html; charset=utf-8", "Content-Encoding": "br", "ETag": '"1"'}
    record(
        tmp_path,
        {"url": f"{SHOP}/", "body": b"<p>plain", "headers": headers},
        {"url": f"{SHOP}/packed", "body": b"<p>packed" * 99, "encoding": "gzip"},
        {"url": f"{SHOP}/gone", "body": b"gone", "status": 404},
        {"url": f"{SHOP}/dated", "body": b"x", "fetched_at": "2026-01-05T10:00:00+01:00"},
        {"url": f"{SHOP}/jobs", "body": b"[]", "method": "POST"},
        {"url": f"{SHOP}/empty", "status": 204},
    )
    async with replaying(tmp_path) as made:
        answer = await made.get(f"{SHOP}/")
        assert (answer.content, answer.headers["etag"], answer.charset) == (
            b"<p>plain",
            '"1"',
            "utf-8",
        )
        assert "content-encoding" not in answer.headers
        assert (await made.get(f"{SHOP}/packed")).content == b"<p>packed" * 99
        gone = await made.get(f"{SHOP}/gone")
        assert (gone.status, gone.content) == (404, b"gone")
        dated = await made.get(f"{SHOP}/dated")
        assert dated.fetched_at == datetime(2026, 1, 5, 9, tzinfo=UTC)
        assert (await made.post(f"{SHOP}/jobs", {"limit": 1})).content == b"[]"
        assert (await made.get(f"{SHOP}/empty")).status == 204
        with pytest.raises(NotInArchive) as missing:
            await made.get(f"{SHOP}/jobs")
        assert missing.value.outcome == "not_in_archive"
        assert not missing.value.retryable


async def test_addresses_need_not_be_spelled_as_recorded(tmp_path: Path) -> None:
    record(tmp_path, {"url": "HTTPS://Shop.test:443?b=2&a=1", "body": b"x"})
    async with replaying(tmp_path) as made:
        for url in (f"{SHOP}/?b=2&a=1", f"{SHOP}?a=1&b=2#part", f"{SHOP}/x/../?a=1&b=2"):
            assert (await made.get(url)).content == b"x"
        with pytest.raises(NotInArchive):
            await made.get(f"{SHOP}/?a=1")
        with pytest.raises(NotInArchive):
            await made.get("http://shop.test/?a=1&b=2")


async def test_the_newest_reply_of_the_day_answers(tmp_path: Path) -> None:
    days = ("2026-02-01T00:00:00+00:00", "2026-01-01T00:00:00+00:00", "2026-01-31T23:00:00+00:00")
    record(
        tmp_path,
        *({"url": f"{SHOP}/", "body": day.encode(), "fetched_at": day} for day in days),
        {"url": f"{SHOP}/", "body": b"undated 1"},
        {"url": f"{SHOP}/", "body": b"undated 2"},
        {"url": f"{SHOP}/late", "body": b"x", "fetched_at": days[0]},
    )
    for at, body in {
        "": days[0],
        "2026-01-31": days[2],
        "2026-01-31T22:00:00": days[1],
        "2026-01-01": days[1],
        "2025-12-31": "undated 2",
    }.items():
        async with replaying(tmp_path, at) as made:
            assert (await made.get(f"{SHOP}/")).content.decode() == body
    async with replaying(tmp_path, "2026-01-31") as made:
        with pytest.raises(NotInArchive):
            await made.get(f"{SHOP}/late")


LAST_MODIFIED = "Mon, 05 Jan 2026 10:00:00 GMT"


@pytest.mark.parametrize(
    ("validators", "unchanged"),
    [
        (Validators(etag='"1"'), True),
        (Validators(etag='W/"1"'), True),
        (Validators(etag='"0", "1"'), True),
        (Validators(etag='"2"'), False),
        (Validators(etag='"2"', last_modified=LAST_MODIFIED), False),
        (Validators(last_modified=LAST_MODIFIED), True),
        (Validators(last_modified="Tue, 06 Jan 2026 10:00:00 GMT"), True),
        (Validators(last_modified="Sun, 04 Jan 2026 10:00:00 GMT"), False),
        (Validators(last_modified="yesterday"), False),
        (Validators(), False),
    ],
)
async def test_conditional_fetches(tmp_path: Path, validators: Validators, unchanged: bool) -> None:
    headers = {"ETag": '"1"', "Last-Modified": LAST_MODIFIED}
    record(tmp_path, {"url": f"{SHOP}/", "body": b"page", "headers": headers})
    async with replaying(tmp_path) as made:
        answer = await made.get(f"{SHOP}/", conditional=validators)
    assert answer.not_modified is unchanged
    assert answer.content == (b"" if unchanged else b"page")


@pytest.mark.parametrize("digest", ["recorded", None])
async def test_a_page_without_validators_gets_one(tmp_path: Path, digest: str | None) -> None:
    extra = {} if digest else {"sha256": None}
    record(
        tmp_path,
        {"url": f"{SHOP}/", "body": b"old", "fetched_at": "2026-01-01T00:00:00Z", **extra},
        {"url": f"{SHOP}/", "body": b"new", "fetched_at": "2026-02-01T00:00:00Z", **extra},
    )
    async with replaying(tmp_path, "2026-01-15") as made:
        first = await made.get(f"{SHOP}/")
        assert first.validators.etag == f'"sha256-{hashlib.sha256(b"old").hexdigest()}"'
        assert (await made.get(f"{SHOP}/", conditional=first.validators)).not_modified
    async with replaying(tmp_path) as made:
        assert (await made.get(f"{SHOP}/", conditional=first.validators)).content == b"new"


async def test_a_recorded_304_is_only_for_those_who_hold_that_version(tmp_path: Path) -> None:
    etag = {"etag": '"2"'}
    record(
        tmp_path,
        {"url": f"{SHOP}/", "body": b"page", "fetched_at": "2026-01-01T00:00:00Z"},
        {"url": f"{SHOP}/", "status": 304, "headers": etag, "fetched_at": "2026-02-01T00:00:00Z"},
        {"url": f"{SHOP}/only", "status": 304, "headers": etag},
    )
    async with replaying(tmp_path) as made:
        holding = Validators(etag='"2"')
        assert (await made.get(f"{SHOP}/", conditional=holding)).not_modified
        assert (await made.get(f"{SHOP}/")).content == b"page"
        assert (await made.get(f"{SHOP}/only", conditional=holding)).not_modified
        with pytest.raises(NotInArchive):
            await made.get(f"{SHOP}/only")


async def test_redirects_and_robots_come_from_the_archive(tmp_path: Path) -> None:
    record(
        tmp_path,
        {"url": f"{SHOP}/robots.txt", "body": b"User-agent: *\nDisallow: /private"},
        {"url": f"{SHOP}/", "status": 301, "headers": {"Location": "https://www.shop.test/"}},
        {"url": "https://www.shop.test/", "body": b"home"},
        {"url": f"{SHOP}/lost", "status": 302, "headers": {"Location": "/nowhere"}},
        {"url": f"{SHOP}/loop", "status": 302, "headers": {"Location": "/loop"}},
        {"url": f"{SHOP}/in", "status": 302, "headers": {"Location": "http://127.0.0.1/"}},
        {"url": f"{SHOP}/private", "body": b"x"},
    )
    async with replaying(tmp_path) as made:
        answer = await made.get(f"{SHOP}/")
        assert (answer.final_url, answer.content) == ("https://www.shop.test/", b"home")
        with pytest.raises(RobotsForbid):
            await made.get(f"{SHOP}/private")
        with pytest.raises(NotInArchive, match="nowhere"):
            await made.get(f"{SHOP}/lost")
        with pytest.raises(TooManyRedirects):
            await made.get(f"{SHOP}/loop")
        with pytest.raises(AddressIsForbidden):
            await made.get(f"{SHOP}/in")


async def test_replay_is_bounded_and_in_no_hurry_to_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def turn(*_: object, **__: object) -> None:
        raise AssertionError("A recorded web needs no waiting.")

    monkeypatch.setattr(ProcessPace, "turn", turn)
    record(
        tmp_path,
        {"url": f"{SHOP}/big", "body": b"x" * 100_001, "encoding": "gzip"},
        *({"url": f"{SHOP}/{n}", "body": b"x"} for n in range(2)),
    )
    async with replaying(tmp_path) as made:
        with pytest.raises(BodyIsTooLarge):
            await made.get(f"{SHOP}/big", max_bytes=100_000)
        for n in range(2):
            await made.get(f"{SHOP}/{n}")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "line 2: not JSON"),
        ("[]", "line 2: not a JSON object"),
        ('{"status": 200}', "line 2: url"),
        ('{"url": "https://a.test/", "status": "200"}', "line 2: status"),
        ('{"url": "https://a.test/", "status": 200, "headers": []}', "line 2: headers"),
        ('{"url": "https://a.test/", "status": 200, "file": "../x"}', "line 2: file"),
        ('{"url": "https://a.test/", "status": 200, "file": "/etc/passwd"}', "line 2: file"),
        ('{"url": "https://a.test/", "status": 200, "file": "x", "encoding": "br"}', "encoding"),
        ('{"url": "https://a.test/", "status": 200, "fetched_at": "soon"}', "fetched_at"),
        ('{"url": "https://a.test/", "status": 200, "fetched_at": 5}', "fetched_at"),
    ],
)
async def test_a_damaged_index_names_the_line(tmp_path: Path, line: str, complaint: str) -> None:
    record(tmp_path, {"url": f"{SHOP}/", "body": b"x"})
    with (tmp_path / "index.jsonl").open("a") as index:
        index.write(line + "\n")
    async with replaying(tmp_path) as made:
        with pytest.raises(ArchiveIsDamaged, match=complaint) as damaged:
            await made.get(f"{SHOP}/")
    assert str(tmp_path / "index.jsonl") in str(damaged.value)


async def test_damaged_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(ArchiveIsDamaged, match="No such file"):
        await replaying(tmp_path / "nowhere").get(f"{SHOP}/")
    record(
        tmp_path,
        {"url": f"{SHOP}/0", "body": b"missing"},
        {"url": f"{SHOP}/1", "body": b"not packed"},
        {"url": f"{SHOP}/2", "body": b"cut off" * 999, "encoding": "gzip"},
        {"url": f"{SHOP}/3", "body": b"changed"},
    )
    files = tmp_path / "files"
    (files / "0.body").unlink()
    (files / "2.body").write_bytes((files / "2.body").read_bytes()[:30])
    (files / "3.body").write_bytes(b"changed since")
    index = tmp_path / "index.jsonl"
    lines = index.read_text().splitlines()
    lines[1] = lines[1].replace('"encoding": null', '"encoding": "gzip"')
    index.write_text("\n".join(lines))
    async with replaying(tmp_path) as made:
        for number in range(4):
            with pytest.raises(ArchiveIsDamaged, match=f"{number}.body"):
                await made.get(f"{SHOP}/{number}")


async def test_the_sample_archive_is_all_there_is_of_example_hosts(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "sample").mkdir()
    home = "https://acme.example/"
    web = record(
        tmp_path / "web", {"url": home, "body": b"other"}, {"url": f"{SHOP}/", "body": b"shop"}
    )
    sample = record(
        tmp_path / "sample", {"url": home, "body": b"sample"}, {"url": f"{SHOP}/2", "body": b"x"}
    )
    async with replaying(web, sample_dir=sample) as made:
        assert (await made.get(home)).content == b"sample"
        assert (await made.get(f"{SHOP}/")).content == b"shop"
        with pytest.raises(NotInArchive):
            await made.get(f"{SHOP}/2")
    names = Names({"shop.test": [PUBLIC]})
    async with running({"/": response("live")}) as site:
        network = Network({PUBLIC: site})
        async with fetcher(names=names, network=network, sample_dir=sample) as made:
            assert (await made.get(home)).content == b"sample"
            assert (await made.get("http://shop.test/")).content == b"live"
            with pytest.raises(NotInArchive):
                await made.get("https://www.acme.example/")
    assert set(names.lookups) == {"shop.test"}


async def test_the_sample_answers_for_its_addresses_on_shared_hosts(tmp_path: Path) -> None:
    for name in ("web", "sample"):
        (tmp_path / name).mkdir()
    web = record(tmp_path / "web", {"url": f"{SHOP}/boards/real", "body": b"real"})
    sample = record(tmp_path / "sample", {"url": f"{SHOP}/boards/invented", "body": b"invented"})
    mine = (f"{SHOP}/boards/invented",)
    # Its robots.txt is nowhere, so it was not asked for.
    async with replaying(web, sample_dir=sample, sample_addresses=mine) as made:
        assert (await made.get(f"{SHOP}/boards/invented")).content == b"invented"
    names = Names({})
    async with fetcher(
        names=names, network=Network({}), sample_dir=sample, sample_addresses=mine
    ) as made:
        assert (await made.get(f"{SHOP}/boards/invented")).content == b"invented"
    assert not names.lookups


async def test_blank_lines_and_a_missing_last_line_end_are_no_damage(tmp_path: Path) -> None:
    record(tmp_path, {"url": f"{SHOP}/", "body": b"x"})
    index = tmp_path / "index.jsonl"
    index.write_text("\n" + index.read_text().rstrip("\n"))
    assert list(Archive(tmp_path).addresses()) == [("GET", f"{SHOP}/")]
    async with replaying(tmp_path) as made:
        assert (await made.get(f"{SHOP}/")).content == b"x"
