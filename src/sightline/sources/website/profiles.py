"""A company's pages on social networks. Share buttons, posts and personal pages do not count."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from sightline.sources.json_ld import texts_of
from sightline.sources.website.document import Page, path_of
from sightline.sources.website.findings import Findings
from sightline.sources.website.links import site_of

PROFILE_NETWORK = "profile_network"

# By the network's domain or its label: its name, the path of a company's page, the canonical address.
_ROWS: dict[str, tuple[str, str, str]] = {
    "linkedin": (PROFILE_NETWORK, r"/((?:company|school|showcase)/[^/?#]{1,120})", "www.linkedin.com/"),
    "facebook": ("facebook", r"/(?:pages/[^/]+/(\d+)|(?:pg/)?@?([\w.%&'()-]{2,100}))", "www.facebook.com/"),
    "twitter": ("x", r"/(?:#!/)?@?(\w{1,20})", "x.com/"),
    "instagram": ("instagram", r"/([\w.]{2,40})", "www.instagram.com/"),
    "youtube": ("youtube", r"/((?:(?:channel|user|c)/|@)[\w.%-]{2,80}|[\w-]{3,60})", "www.youtube.com/"),
    "github": ("github", r"/([\w-]{1,40})", "github.com/"),
    "gitlab": ("gitlab", r"/([\w.-]{2,60})", "gitlab.com/"),
    "tiktok": ("tiktok", r"/(@[\w.]{2,40})", "www.tiktok.com/"),
    "pinterest": ("pinterest", r"/([\w-]{2,60})", "www.pinterest.com/"),
    "xing": ("xing", r"/(?:pages|companies|company)/([\w%.-]{2,80})", "www.xing.com/pages/"),
    "threads": ("threads", r"/(@[\w.]{2,40})", "www.threads.net/"),
    "bsky": ("bluesky", r"/profile/([\w.:-]{3,100})", "bsky.app/profile/"),
    "medium": ("medium", r"/(@?[\w.-]{2,60})", "medium.com/"),
    "crunchbase": ("crunchbase", r"/organization/([\w-]{2,80})", "www.crunchbase.com/organization/"),
    "glassdoor": ("glassdoor", r"/(Overview/[^/?]+\.htm)", "www.glassdoor.com/"),
    "vimeo": ("vimeo", r"/(?!\d+)([\w-]{3,60})", "vimeo.com/"),
    "discord": ("discord", r"/(?:invite/)?(\w{4,40})", "discord.gg/"),
    "t.me": ("telegram", r"/(\w{4,40})", "t.me/"),
    "reddit": ("reddit", r"/(r/\w{2,30}|user/[\w-]{2,30})", "www.reddit.com/"),
    "vk.com": ("vk", r"/([\w.]{3,50})", "vk.com/"),
}  # fmt: skip
_NETWORKS = {
    label: (network, re.compile(path, re.IGNORECASE), f"https://{address}")
    for label, (network, path, address) in _ROWS.items()
}
_NETWORKS |= {"x.com": _NETWORKS["twitter"], "fb.com": _NETWORKS["facebook"]}
_NO_PROFILE = frozenset(
    "share sharer sharer.php share.php intent home login signup search hashtag tr watch embed video videos"
    " playlist post posts p reel reels explore plugins dialog pin i privacy about help policies legal terms"
    " tos settings groups events photo photo.php story.php profile.php pages results feed shorts sharing"
    " widgets business policy download accounts status features pricing sponsors topics collections apps"
    " marketplace oauth redirect t site jobs ads channel joinchat s addstickers js sdk.js developer"
    " developers playables account notifications premium people directory media v2.0 permalink.php l.php"
    " feed_subscription subscription_center add_user create submit live facebook twitter instagram youtube"
    " wordpress wix squarespace shopify godaddy unavailable admin".split()
)
_ONE_SEGMENT = frozenset("x github instagram gitlab pinterest medium vimeo vk facebook".split())
_SUBDOMAIN = re.compile(r"(?:www|mobile|old|m|[a-z]{2,3}|[a-z]{2}-[a-z]{2})?")


@dataclass(frozen=True, slots=True)
class Profile:
    """A page on a network, in its canonical spelling."""

    network: str
    url: str


def read_profile(url: str) -> Profile | None:
    """The company page that an address names; None for anything else."""
    site = site_of(url)
    row = _NETWORKS.get(site) or _NETWORKS.get(site.partition(".")[0])
    if row is None:
        return None
    network, pattern, address = row
    parts = urlsplit(url)
    found = pattern.match(parts.path)
    if found is None or not _SUBDOMAIN.fullmatch((parts.hostname or "")[: -len(site)].rstrip(".")):
        return None
    path = next(filter(None, found.groups())).rstrip("/.")
    name = path.lower()
    if network == PROFILE_NETWORK:
        path, name = unquote(path).lower(), name.partition("/")[2]
    if not name or name.startswith("%") or name.removeprefix("@") in _NO_PROFILE:
        return None
    rest = parts.path[found.end() :].strip("/").lower()
    if rest not in {"", "home", "timeline"} and network in _ONE_SEGMENT:
        return None
    return Profile(network, address + path)


def find_profiles(found: Findings) -> None:
    """Profiles from the organization's sameAs and from links; those in header or footer count most."""
    for profile, confidence, method, pointer in (*_stated(found), *_linked(found.page)):
        if profile is not None:
            alone = profile.network == PROFILE_NETWORK
            value = profile.url if alone else {"network": profile.network, "url": profile.url}
            field = "profile_network_url" if alone else "social_url"
            found.add(field, value, method=method, confidence=confidence, pointer=pointer)


_Mention = tuple[Profile | None, float, str, str]  # with confidence, method and pointer


def _stated(found: Findings) -> Iterator[_Mention]:
    """Those that data and meta tags name."""
    if own := found.own:
        for url in texts_of(own.data.get("sameAs")):
            yield read_profile(url), 0.95, own.method, f"{own.pointer}/sameAs"
    for name in ("article:publisher", "og:see_also"):
        for url in found.page.metas.get(name, ()):
            yield read_profile(url), 0.8, "meta", f"meta[{name}]"
    handle = found.page.meta("twitter:site") or ""
    if re.fullmatch(r"@\w{2,20}", handle):
        yield read_profile(f"https://x.com/{handle[1:]}"), 0.85, "meta", "meta[twitter:site]"


def _linked(page: Page) -> Iterator[_Mention]:
    """Those that links lead to."""
    linked = [(anchor, profile) for anchor in page.anchors if (profile := read_profile(anchor.url))]
    for anchor, profile in linked:
        framed = anchor.region in {"footer", "header", "nav"}
        same = {each.url.lower() for _, each in linked if each.network == profile.network}
        # Several pages of one network in the text are the ones it writes about.
        if framed or len(same) == 1:
            sure = (0.9 if framed else 0.65) if len(same) == 1 else 0.8
            yield profile, sure, "link", path_of(anchor.element)
