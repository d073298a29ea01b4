"""Pages of a company on social networks. Share buttons, posts and people's own pages do not count."""

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from sightline.sources.website.document import Page
from sightline.sources.website.findings import Findings
from sightline.sources.website.json_ld import texts_of
from sightline.sources.website.structured import Node

PROFILE_NETWORK = "profile_network"

_NAME = r"@?([\w.%&'()-]{2,100})"
# network, hosts, path of a company's page, canonical address.
_ROWS: tuple[tuple[str, str, str, str], ...] = (
    (PROFILE_NETWORK, r"(?:[a-z]{2,3}\.)?linkedin\.com", r"/(company|school|showcase)/([^/?#]{1,120})",
     "https://www.linkedin.com/{0}/{1}"),
    ("facebook", r"(?:[\w-]+\.)?(?:facebook|fb)\.com", rf"/(?:pages/[^/]+/(\d+)|(?:pg/)?{_NAME})",
     "https://www.facebook.com/{0}"),
    ("x", r"(?:mobile\.)?(?:twitter|x)\.com", r"/(?:#!/)?@?(\w{1,20})", "https://x.com/{0}"),
    ("instagram", r"instagram\.com", r"/([\w.]{2,40})", "https://www.instagram.com/{0}"),
    ("youtube", r"(?:m\.)?youtube\.com", r"/((?:channel|user|c)/[\w.%-]{2,80}|@[\w.%-]{2,60}|[\w-]{3,60})",
     "https://www.youtube.com/{0}"),
    ("github", r"github\.com", r"/([\w-]{1,40})", "https://github.com/{0}"),
    ("gitlab", r"gitlab\.com", r"/([\w.-]{2,60})", "https://gitlab.com/{0}"),
    ("tiktok", r"tiktok\.com", r"/(@[\w.]{2,40})", "https://www.tiktok.com/{0}"),
    ("pinterest", r"(?:[a-z]{2}\.)?pinterest\.(?:com|de|fr|es|co\.uk|ca|it)", r"/([\w-]{2,60})",
     "https://www.pinterest.com/{0}"),
    ("xing", r"xing\.com", r"/(?:pages|companies|company)/([\w%.-]{2,80})", "https://www.xing.com/pages/{0}"),
    ("threads", r"threads\.(?:net|com)", r"/(@[\w.]{2,40})", "https://www.threads.net/{0}"),
    ("bluesky", r"bsky\.app", r"/profile/([\w.:-]{3,100})", "https://bsky.app/profile/{0}"),
    ("medium", r"medium\.com", r"/(@?[\w.-]{2,60})", "https://medium.com/{0}"),
    ("crunchbase", r"crunchbase\.com", r"/organization/([\w-]{2,80})",
     "https://www.crunchbase.com/organization/{0}"),
    ("glassdoor", r"glassdoor\.(?:com|de|fr|es|co\.uk|ca|co\.in)", r"/(Overview/[^/?]+\.htm)",
     "https://www.glassdoor.com/{0}"),
    ("vimeo", r"vimeo\.com", r"/(?!\d+)([\w-]{3,60})", "https://vimeo.com/{0}"),
    ("discord", r"discord\.(?:gg|com)", r"/(?:invite/)?(\w{4,40})", "https://discord.gg/{0}"),
    ("telegram", r"t\.me", r"/(\w{4,40})", "https://t.me/{0}"),
    ("reddit", r"(?:old\.)?reddit\.com", r"/(r/\w{2,30}|user/[\w-]{2,30})", "https://www.reddit.com/{0}"),
    ("vk", r"vk\.com", r"/([\w.]{3,50})", "https://vk.com/{0}"),
)  # fmt: skip
_COMPILED = tuple((n, re.compile(h, re.I), re.compile(p, re.I), u) for n, h, p, u in _ROWS)
_LABELS = frozenset(
    {
        *(
            "linkedin",
            "facebook",
            "fb",
            "twitter",
            "x",
            "instagram",
            "youtube",
            "github",
            "gitlab",
            "tiktok",
        ),
        *(
            "pinterest",
            "xing",
            "threads",
            "bsky",
            "medium",
            "crunchbase",
            "glassdoor",
            "vimeo",
            "discord",
        ),
        *("t", "reddit", "vk", "co"),
    }
)
_NO_PROFILE = frozenset(
    {
        *("share", "sharer", "sharer.php", "share.php", "intent", "home", "login", "signup"),
        *("search", "hashtag", "tr", "watch", "embed", "video", "videos", "playlist", "post"),
        *("posts", "p", "reel", "reels", "explore", "plugins", "dialog", "pin", "i", "privacy"),
        *("about", "help", "policies", "legal", "terms", "tos", "settings", "groups", "events"),
        *("photo", "photo.php", "story.php", "profile.php", "pages", "results", "feed", "shorts"),
        *("sharing", "widgets", "business", "policy", "download", "accounts", "status"),
        *("features", "pricing", "sponsors", "topics", "collections", "apps", "marketplace"),
        *("oauth", "redirect", "t", "site", "jobs", "ads", "channel", "joinchat", "s"),
        *("addstickers", "js", "sdk.js", "developer", "developers", "playables", "account"),
        *("notifications", "premium", "people", "directory", "media", "v2.0", "permalink.php"),
        *("l.php", "feed_subscription", "subscription_center", "add_user", "create", "submit"),
        *("live", "facebook", "twitter", "instagram", "youtube", "wordpress", "wix"),
        *("squarespace", "shopify", "godaddy"),
    }
)
_ONE_SEGMENT = frozenset(
    {"x", "github", "instagram", "gitlab", "pinterest", "medium", "vimeo", "vk", "facebook"}
)


@dataclass(frozen=True, slots=True)
class Profile:
    """A page on a network, in its canonical spelling."""

    network: str
    url: str


def read_profile(url: str) -> Profile | None:
    """The company page that an address names; None for anything else."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower().removeprefix("www.")
    except ValueError:
        return None
    for network, host_pattern, path_pattern, address in _COMPILED:
        if not host_pattern.fullmatch(host):
            continue
        found = path_pattern.match(parts.path)
        if not found:
            return None
        groups = [group for group in found.groups() if group]
        name = groups[-1].rstrip("/.").lower()
        if (
            not name
            or name in _NO_PROFILE
            or name.removeprefix("@") in _NO_PROFILE
            or name.startswith("%")
        ):
            return None
        rest = parts.path[found.end() :].strip("/")
        if rest and (network in _ONE_SEGMENT and rest.lower() not in {"home", "timeline"}):
            return None
        if network == PROFILE_NETWORK:
            slug = unquote(groups[1]).lower()
            if slug in {"unavailable", "login", "admin"}:
                return None
            return Profile(network, address.format(groups[0].lower(), slug))
        return Profile(network, address.format(groups[-1].rstrip("/.")))
    return None


def find_profiles(page: Page, own: Node | None, found: Findings) -> None:
    """Profiles from the organization's sameAs and from links; those in header or footer count most."""
    if own is not None:
        for url in texts_of(own.data.get("sameAs")):
            _take(url, 0.95, found, method=own.method, pointer=f"{own.pointer}/sameAs")
    for name in ("article:publisher", "og:see_also"):
        for url in page.metas.get(name, ()):
            _take(url, 0.8, found, method="meta", pointer=f"meta[{name}]")
    handle = page.meta("twitter:site")
    if handle and re.fullmatch(r"@\w{2,20}", handle):
        _take(
            f"https://x.com/{handle[1:]}", 0.85, found, method="meta", pointer="meta[twitter:site]"
        )
    by_network: dict[str, set[str]] = {}
    candidates = []
    for anchor in page.anchors:
        if not _may_be_profile(anchor.url):
            continue
        profile = read_profile(anchor.url) if anchor.url.startswith("http") else None
        if profile:
            candidates.append((anchor, profile))
            by_network.setdefault(profile.network, set()).add(profile.url.lower())
    for anchor, profile in candidates:
        framed = anchor.region in {"footer", "header", "nav"}
        alone = len(by_network[profile.network]) == 1
        # Several pages of one network in the text are the ones it writes about.
        if not framed and not alone:
            continue
        confidence = 0.9 if framed and alone else 0.8 if framed else 0.65
        _take(profile.url, confidence, found, method="link", pointer=page.path_of(anchor.element))


def _may_be_profile(url: str) -> bool:
    """A cheap look at the host before the patterns: most links lead elsewhere."""
    labels = url.split("/", 3)[2].lower().split(".") if url.count("/") > 1 else []
    return len(labels) > 1 and labels[-2] in _LABELS


def _take(url: str, confidence: float, found: Findings, *, method: str, pointer: str) -> None:
    profile = read_profile(url)
    if profile is None:
        return
    if profile.network == PROFILE_NETWORK:
        found.add(
            "profile_network_url",
            profile.url,
            method=method,
            confidence=confidence,
            pointer=pointer,
        )
    else:
        value = {"network": profile.network, "url": profile.url}
        found.add("social_url", value, method=method, confidence=confidence, pointer=pointer)
