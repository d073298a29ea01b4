"""Pages that stand in for the one that was asked for: parked names, walls, default pages, soft errors.

Each rule names its reason. A long page with much to say is none of these, whatever words are in it.
"""

import re
from dataclasses import dataclass
from typing import Literal

from sightline.sources.website.document import Page

Problem = Literal[
    "parked", "for_sale", "default_server_page", "suspended", "coming_soon", "bot_wall", "access_denied",
    "login_wall", "soft_404", "maintenance", "needs_script", "empty",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class PageProblem:
    """What is wrong with a page, and the words or mark that showed it."""

    kind: Problem
    reason: str


# kind, most characters of visible text, pattern over title and text. A wall is short; the limits keep
# an article about captchas from being one.
_TEXT_RULES: tuple[tuple[Problem, int, str], ...] = (
    (
        "access_denied",
        4000,
        r"request originates from an undeclared automated tool|request rate threshold exceeded"
        r"|^(?:429\b|too many requests|rate limit exceeded)",
    ),
    ("bot_wall", 1500, r"just a moment\.\.\.|checking (?:if the site connection is secure|your"
                       r" browser)|verify(?:ing)? (?:that )?you are (?:a )?human"
     r"|are you (?:a )?(?:human|robot)\b|(?:please )?enable javascript and cookies|prove"
     r" (?:that )?you(?:'re| are) (?:a )?human|complete the (?:security check|captcha)"
     r"|attention required! \| cloudflare|pardon our interruption|unusual (?:traffic|activity)"
     r" from your|bot (?:detection|protection)|ddos protection by"
     r"|request unsuccessful\. incapsula|human verification|security"
     r" check(?:point)?\b.{0,80}(?:browser|human)|press (?:&|and) hold|bitte bestätigen sie,"
     r" dass sie (?:ein mensch|kein roboter)"
     r"|vérifiez que vous êtes (?:un )?humain|please verify you are a human|vercel security"
     r" checkpoint|why have i been blocked|your browser is being checked"),
    ("access_denied", 1200, r"^(?:403\b|access denied|forbidden|error 403|zugriff verweigert"
                            r"|accès refusé|acceso denegado|http error 403|403 forbidden"
                            r"|sorry, you have been blocked"
     r"|request blocked|the request could not be satisfied|your access to this (?:site"
     r"|service) has been (?:limited|blocked))|you don't have permission to access|access to"
     r" this page has been denied"
     r"|error 1020|undeclared automated tool|not available in your (?:country|region)|451 unavailable"),
    ("for_sale", 4000, r"\b(?:this |the )?domain(?: name)?(?: \S{3,60})? (?:is|may be|might be"
                       r"|could be) for sale|buy this domain|domain (?:is )?for sale|\bmake an"
                       r" offer\b.{0,80}domain"
     r"|inquire about this domain|purchase this domain|diese domain (?:ist|steht) (?:zu"
     r" verkaufen|zum verkauf)|domain kaufen|ce (?:nom de )?domaine est à vendre|este dominio"
     r" está (?:en|a la) venta"
     r"|the owner of .{3,60} (?:is offering it|has put it up) for sale|domain erwerben|premium"
     r" domain|hugedomains|get this domain|zum verkauf angeboten"),
    ("parked", 3000, r"(?:this )?(?:web ?site|domain|site|page)(?: name)?(?: \S{3,60})? (?:is"
                     r"|has been|was) (?:parked|registered (?:at|by|with|via)|reserved)|parked"
                     r" (?:free|domain|page)|domain parking"
     r"|future home of something|this domain (?:has )?expired|domain (?:name )?(?:has"
     r" )?expired|renew (?:it|your domain) now|related searches|hier entsteht (?:eine neue"
     r" )?(?:internetpräsenz|website|webseite)"
     r"|diese domain (?:wurde|ist) (?:\S+ ){0,3}(?:registriert|reserviert|geparkt)|ce domaine"
     r" (?:est|a été) (?:\S+ ){0,3}(?:réservé|enregistré|parqué)|este dominio (?:está|ha sido)"
     r" (?:\S+ ){0,3}(?:registrado|aparcado|estacionado)"
     r"|sponsored listings|this page was generated (?:using|by).{0,30}parking|courtesy of"
     r" godaddy|the domain has been registered|there is no website configured|no site (?:is"
     r" )?configured at this address"),
    ("suspended", 1500, r"account (?:has been )?suspended|(?:website|site|account|hosting"
                        r"|service) (?:is |has been )?(?:temporarily )?(?:suspended|disabled"
                        r"|deactivated)|bandwidth limit exceeded|this store is (?:currently"
                        r" )?unavailable"
     r"|site (?:is )?no longer available|typo in the url.{0,80}(?:site|store)|diese (?:website"
     r"|webseite) (?:wurde|ist) (?:gesperrt|deaktiviert)"),
    ("default_server_page", 6000, r"welcome to (?:nginx|openresty|centos|caddy)|(?:apache2?"
                                  r" )?(?:ubuntu|debian|centos|fedora|http server|red"
                                  r" hat)[\w ]{0,20} (?:default|test) page|^it works!|\biis"
                                  r" windows server\b|\binternet information services\b"
     r"|test page for the|default (?:web ?site|web) page|default plesk page|web server'?s"
     r" default page|domain default page|if you are the (?:web ?site )?(?:owner"
     r"|administrator).{0,60}(?:contact|replace)|congratulations.{0,40}(?:installed|working)"
     r"|this is the default (?:welcome|index|server) page|apache is functioning normally|index"
     r" of /|directory listing for|tomcat.{0,60}successfully installed"
     r"|lighttpd.{0,40}placeholder|litespeed web server|heroku \| (?:welcome|no such app)"
     r"|there(?:'s| is) nothing here, yet"
     r"|just another wordpress site.{0,400}hello world"),
    ("coming_soon", 900, r"coming soon|under construction|launching soon|(?:our )?(?:new"
                         r" )?(?:web)?site is (?:coming|on its way|being built|under)|(?:im"
                         r" aufbau|in kürze|demnächst verfügbar|baustelle)|en construction"
                         r"|bientôt|próximamente|en construcción|in costruzione|opening soon"
                         r"|stay tuned"),
    ("maintenance", 900, r"(?:scheduled |undergoing |under |for )maintenance|be right back"
                         r"|we(?:'ll| will) be back|temporarily (?:unavailable|down|offline)"
                         r"|wartungs(?:arbeiten|modus)|en maintenance|en mantenimiento|service"
                         r" unavailable|\b50[234]\b.{0,30}(?:bad gateway|unavailable|time-?out"
                         r"|error)|bad gateway|internal server error|error establishing a"
                         r" database connection|critical error on this website"),
    ("soft_404", 1500, r"^(?:error )?404\b|\b404(?: error)?\b.{0,30}(?:not found|error|page)"
                       r"|page (?:\S+ )?(?:not found|doesn'?t exist|does not exist|cannot be"
                       r" found|can'?t be found|could not be found|no longer exists|isn'?t"
                       r" available)|seite (?:wurde )?nicht gefunden|page (?:non trouvée"
                       r"|introuvable)|página no encontrada|página não encontrada"
     r"|pagina non trovata|pagina niet gevonden|nothing (?:was )?found(?: here)?|we can'?t"
     r" (?:seem to )?find (?:the|that) page|oops!? (?:that|this|the) page|sorry, (?:the|this"
     r"|that) page"),
    ("login_wall", 700, r"(?:please )?(?:log|sign) ?in to (?:continue|view|access|see|your"
                        r" account)|you (?:must|need to) (?:be logged in|log in|sign in)|login"
                        r" required|bitte (?:melden sie sich an|einloggen)|connectez-vous pour"
                        r"|inicia sesión para|authentication required|this (?:site|page) is"
                        r" (?:private|password protected)"),
    ("needs_script", 400, r"you need to enable javascript|(?:please )?enable javascript"
                          r"|javascript (?:is )?(?:required|disabled|not enabled)|without"
                          r" javascript|requires javascript|aktivieren sie (?:bitte"
                          r" )?javascript|activer javascript|activa javascript|doesn'?t work"
                          r" properly without javascript"),
)  # fmt: skip
_COMPILED = tuple(
    (kind, limit, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for kind, limit, pattern in _TEXT_RULES
)
_MARKS: tuple[tuple[Problem, str, str], ...] = (
    ("bot_wall", r"/challenge-platform/h/|_cf_chl_|cf-browser-verification", "a Cloudflare challenge"),
    ("bot_wall", r"captcha-delivery\.com|geo\.captcha-delivery", "a DataDome captcha"),
    ("bot_wall", r"_Incapsula_Resource\?SWUDNSAI", "an Incapsula challenge"),
    ("bot_wall", r"px-captcha|_pxAppId|perimeterx\.net", "a PerimeterX challenge"),
    ("bot_wall", r"aws-waf-token|awswaf\.com/|gokuProps", "an AWS WAF challenge"),
    ("access_denied", r"errors\.edgesuite\.net|Reference&#32;&#35;", "an Akamai refusal"),
    ("parked", r"parkingcrew\.net|sedoparking\.com|bodis\.com|parklogic|above\.com/marketplace"
               r"|afternic\.com|d38psrni17bvxu\.cloudfront\.net|/_tr\?|window\.park ?="
               r"|img\.sedo|skenzo|dsparking|voodoo\.com|parking\.namecheap|namebrightstatic"
               r"|domainmarkt", "a parking service"),
    ("for_sale", r"dan\.com/(?:buy|cdn)|sedo\.com/search/details|hugedomains\.com"
                 r"|undeveloped\.com|afternic\.com/forsale|godaddy\.com/forsale|efty\.com"
                 r"|squadhelp\.com/name|brandbucket\.com", "a domain market"),
)  # fmt: skip
_COMPILED_MARKS = tuple(
    (kind, re.compile(pattern, re.IGNORECASE), name) for kind, pattern, name in _MARKS
)
_MARK_LIMIT = 2500
_HEAD = 3000


def page_problem(page: Page) -> PageProblem | None:
    """What stands in the place of the page; None for an ordinary page."""
    visible = "\n".join(line.text for line in page.lines)
    size = len(visible)
    return _marked(page, size) or _stated(page, visible) or _without_content(page, size)


def _marked(page: Page, size: int) -> PageProblem | None:
    """A wall or parking service, by what its makers leave in the source of a short page."""
    source = page.html[:300_000] if size <= _MARK_LIMIT else ""
    for kind, pattern, name in _COMPILED_MARKS:
        if pattern.search(source):
            return PageProblem(kind, f"The page is {name}.")
    return None


def _stated(page: Page, visible: str) -> PageProblem | None:
    """What title, headline and, of a short page, the words for readers without scripts say."""
    title = " ".join(next((e.text_content() for e in page.tree.iter("title")), "").split())[:300]
    size = len(visible)
    noscript = ""
    if size < 400:
        noscript = "\n".join(e.text_content() for e in list(page.tree.iter("noscript"))[:5])[:1000]
    for kind, limit, pattern in _COMPILED:
        # Title and headline carry the message; further down, only a short page is one.
        texts = (title, visible[:_HEAD], noscript if kind in {"needs_script", "bot_wall"} else "")
        for text in texts if size <= limit else ():
            found = pattern.search(text)
            if found and _serious(kind, text, title, size):
                return PageProblem(kind, f"It says “{' '.join(found[0].split())[:80]}”.")
    return None


def _without_content(page: Page, size: int) -> PageProblem | None:
    """A page that asks for a password or shows nothing."""
    if size < 600 and page.tree.xpath("boolean(//input[@type='password'])"):
        return PageProblem("login_wall", "It asks for a password and shows little else.")
    if size >= 20 or page.pictures:
        return None
    if len(page.inline_scripts) + len(page.resources) > 2:
        return PageProblem("needs_script", "Nothing is shown without scripts.")
    return PageProblem("empty", "The page shows no text.")


def _serious(kind: Problem, text: str, title: str, size: int) -> bool:
    """Words that ordinary pages hold too count only on pages with little else."""
    if kind in {"coming_soon", "maintenance", "soft_404", "parked", "for_sale"}:
        return text == title or size < 500 or kind in {"parked", "for_sale"}
    return True
