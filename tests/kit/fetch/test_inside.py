"""Nothing inside the machine's network is ever reached: not by spelling, DNS, rebinding or redirect."""

import os

import httpcore
import pytest

from sightline.kit.fetch.addresses import read_networks
from sightline.kit.fetch.answer import HostRules
from sightline.kit.fetch.client import Fetcher, FetcherConfig
from sightline.kit.fetch.errors import AddressIsForbidden, UrlIsMalformed
from sightline.kit.fetch.live import LiveWeb
from sightline.kit.fetch.politeness import Unhurried
from tests.kit.fetch.sites import PUBLIC, Names, Network, Site, fetcher, response, running, words

# Each stands for loopback or the network inside, and goes to the port of a server that listens.
SPELLINGS = words("""
127.0.0.1 127.0.0.1. 127.1 127.0.1 127.000.000.001 0177.0.0.1 0177.0.0.01 0x7f.0.0.1 0x7f.1
0x7F000001 0x7f000001. 2130706433 2130706433. 017700000001 00000000177.1 127.0x1 0x7f.0x0.0x0.0x1
0 0.0.0.0 0x0 00 0.0 127.127.127.127 1.0x7f000001 4294967295 0xffffffff 3232235777
0xc0a80101 0300.0250.1.1 192.168.257 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.169.254
169.254.43518 10.1 10.0.0.1 172.16.1 192.168.1.1 100.64.0.1 198.18.0.1 192.0.0.1 255.255.255.255
[::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::] [::127.0.0.1]
[::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:0:127.0.0.1]
[64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:7f00:0001::1]
[2001:0:7f00:1::] [2001:0000:4136:e378:8000:63bf:80ff:fffe] [::1%lo] [::1%25lo] [fe80::1%25eth0]
[fe80::1] [fc00::1] [fd00:ec2::254] [ff02::1] [::ffff:169.254.169.254] [fec0::1] [::ffff:0x7f.1]
[127.0.0.1] localhost LOCALHOST localhost. foo.localhost printer.local metadata.google.internal
router.lan nas.home.arpa intranet metadata kubernetes.default.svc.cluster.local
127。0。0。1 127．0．0．1 127｡0｡0｡1 １２７.０.０.１ ①②⑦.⓪.⓪.① ⓛocalhost ₁₂₇.0.0.1 𝟏𝟐𝟕.𝟎.𝟎.𝟏
loc\u00adalhost 127%2e0%2e0%2e1 %31%32%37.0.0.1 %6c%6f%63alhost 127.0.0.1%00.acme.test
127.0.0.1%23.acme.test user@127.0.0.1 acme.test@127.0.0.1 acme.test:80@127.0.0.1
acme.test%40127.0.0.1 127.0.0.1\\@acme.test acme.test\\@127.0.0.1 127.0.0.1\\.acme.test
٠.0.0.1 १२७.0.0.1 0x7f。1
""")

PRIVATE_ANSWERS = words("""
127.0.0.1 10.0.0.7 172.20.1.1 192.168.1.1 169.254.169.254 100.64.1.1 0.0.0.0 198.18.0.1 192.0.0.8
224.0.0.1 255.255.255.255 168.63.129.16 ::1 :: ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::127.0.0.1
64:ff9b:1::1 2002:7f00:1:: 2001:0:7f00:1:: fe80::1 fe80::1%eth0 fd00::1 ff02::1 ::127.0.0.1
""")


class Everywhere(Network):
    """A network on which every address there is leads to one forbidden site."""

    def __init__(self, site: Site) -> None:
        super().__init__({})
        self._site = site

    async def connect_tcp(
        self, host: str, *args: object, **_: object
    ) -> httpcore.AsyncNetworkStream:
        self.dialled.append(host)
        return await self._real.connect_tcp("127.0.0.1", self._site.port)


def test_enough_spellings_are_tried() -> None:
    assert len(set(SPELLINGS)) == len(SPELLINGS) >= 90


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_no_spelling_reaches_inside(scheme: str) -> None:
    async with running({"/": response("secret"), "/robots.txt": response("secret")}) as inside:
        network = Everywhere(inside)
        names = Names({"acme.test": ["127.0.0.1"]})
        async with fetcher(names=names, network=network, ports=None) as made:
            for spelling in SPELLINGS:
                for suffix in ("", f":{inside.port}"):
                    with pytest.raises((AddressIsForbidden, UrlIsMalformed)):
                        await made.get(f"{scheme}://{spelling}{suffix}/")
        assert network.dialled == []
        assert inside.connections == 0


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_no_spelling_reaches_a_real_server_over_the_real_network(scheme: str) -> None:
    """The same without anything replaced but the fixed pace: the machine's own resolver and sockets."""
    async with running({"/": response("secret")}) as inside:
        config = FetcherConfig(ports=None)
        spellings = [s for s in SPELLINGS if "acme" not in s]
        async with Fetcher(config, pace=Unhurried(), live=LiveWeb()) as made:
            for spelling in spellings:
                with pytest.raises((AddressIsForbidden, UrlIsMalformed)):
                    await made.get(f"{scheme}://{spelling}:{inside.port}/")
        assert inside.connections == 0


@pytest.mark.parametrize("address", PRIVATE_ANSWERS)
@pytest.mark.parametrize("company", [[], [PUBLIC]])
async def test_a_name_with_any_address_inside_is_refused(address: str, company: list[str]) -> None:
    async with running({"/": response("secret")}) as inside:
        network = Everywhere(inside)
        names = Names({"rebind.test": [[*company, address]]})
        async with fetcher(names=names, network=network) as made:
            with pytest.raises(AddressIsForbidden) as caught:
                await made.get("http://rebind.test/")
        assert network.dialled == []
        assert inside.connections == 0
        assert caught.value.url.startswith("http://rebind.test/")


@pytest.mark.parametrize("robots", [True, False])
async def test_a_name_that_changes_its_answer_reaches_only_what_was_judged(robots: bool) -> None:
    """The first lookup is public, every later one private; connections are not kept between."""
    public = {
        "/robots.txt": response("", connection="close"),
        "/": response("public", connection="close"),
    }
    async with running(public) as outside, running({"/": response("secret")}) as inside:
        names = Names({"rebind.test": [[PUBLIC], [PUBLIC], ["127.0.0.1"]]})
        network = Network({PUBLIC: outside, "127.0.0.1": inside})
        rules = HostRules(obey_robots=robots)
        outcomes = []
        async with fetcher(names=names, network=network) as made:
            for _ in range(6):
                try:
                    answer = await made.get("http://rebind.test/", rules=rules)
                    outcomes.append(answer.content.decode())
                except AddressIsForbidden:
                    outcomes.append("forbidden")
        assert "secret" not in outcomes
        assert outcomes[0] == "public"
        assert outcomes[-1] == "forbidden"
        # One lookup for each connection: nothing is looked up again after it was judged.
        assert len(names.lookups) == len(network.dialled) + outcomes.count("forbidden")
        assert set(network.dialled) == {PUBLIC}
        assert inside.connections == 0


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1:{port}/",
        "//127.0.0.1:{port}/",
        "http://2130706433:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "http://localhost:{port}/",
        "http://inside.test:{port}/",
        "http://user:pw@shop.test/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:{port}/_x",
        "http://169.254.169.254/latest/meta-data/",
        "http://127.0.0.1:{port}\\@shop.test/",
    ],
)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_are_judged_again(status: int, target: str) -> None:
    async with running({"/": response("secret")}) as inside:
        location = target.format(port=inside.port)
        pages = {"/": response("", f"{status} Moved", location=location)}
        async with running(pages) as outside:
            names = Names({"shop.test": [PUBLIC], "inside.test": ["127.0.0.1"]})
            network = Network({PUBLIC: outside, "127.0.0.1": inside, "169.254.169.254": inside})
            async with fetcher(names=names, network=network, ports=None) as made:
                with pytest.raises((AddressIsForbidden, UrlIsMalformed)):
                    await made.get("http://shop.test/")
        assert inside.connections == 0


async def test_backslashes_in_a_redirect_stay_on_the_site() -> None:
    """Browsers would read them as slashes, and so as another host."""
    async with running({"/": response("secret")}) as inside:
        location = f"http:\\\\127.0.0.1:{inside.port}\\"
        async with running({"/": response("", "302 Found", location=location)}) as outside:
            network = Network({PUBLIC: outside, "127.0.0.1": inside})
            names = Names({"shop.test": [PUBLIC]})
            async with fetcher(names=names, network=network, ports=None) as made:
                answer = await made.get("http://shop.test/")
                assert answer.status == 404
                assert answer.final_url.startswith("http://shop.test/%5C%5C127")
        assert inside.connections == 0


async def test_a_robots_file_cannot_redirect_inside_either() -> None:
    async with running({"/": response("secret")}) as inside:
        pages = {
            "/robots.txt": response("", "302 Found", location=f"http://127.0.0.1:{inside.port}/"),
            "/": response("public"),
        }
        async with running(pages) as outside:
            network = Network({PUBLIC: outside, "127.0.0.1": inside})
            names = Names({"shop.test": [PUBLIC]})
            async with fetcher(names=names, network=network, ports=None) as made:
                assert (await made.get("http://shop.test/")).content == b"public"
        assert inside.connections == 0


async def test_the_environments_proxies_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running() as proxy, running({"/": response("direct")}) as site:
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
            monkeypatch.setitem(os.environ, name, f"http://127.0.0.1:{proxy.port}")
        names = Names({"shop.test": [PUBLIC]})
        async with fetcher(names=names, network=Network({PUBLIC: site})) as made:
            assert (await made.get("http://shop.test/")).content == b"direct"
        assert proxy.connections == 0


async def test_an_operator_can_open_a_private_network() -> None:
    async with running({"/": response("intranet page")}) as site:
        allow = read_networks(["127.0.0.0/8"])
        names = Names({"wiki.corp.test": ["127.0.0.1"]})
        async with fetcher(names=names, allow=allow, ports=None) as made:
            for host in ("127.0.0.1", "wiki.corp.test"):
                answer = await made.get(f"http://{host}:{site.port}/")
                assert answer.content == b"intranet page"
            with pytest.raises(AddressIsForbidden):
                await made.get(f"http://[::1]:{site.port}/")
