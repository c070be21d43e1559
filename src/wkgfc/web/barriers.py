"""Pages that are not what they were asked for: walls, notices and errors that a browser would show as such.

Every sign has a kind, says where it is looked for, and counts only where the page has at most so many words of main
text as a wall of that kind leaves: an article about captchas has the words of a captcha, and a whole article besides.

The signs are of pages as they are served, in English and, for the notices that readers meet daily, in German, French
and Spanish. They are heuristics: a wall that is not known is read as a short text, a short text with the words of a
wall is taken for one.
"""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["challenge", "captcha", "consent", "scripts", "login", "paywall", "error"]
Where = Literal["title", "main", "seen", "markup", "address"]

MAX_MARKUP = 400_000  # characters of the markup that signs are looked for in
MAX_SEEN = 20_000  # characters of the visible text, at its beginning and at its end
HARDLY_ANY_WORDS = 25  # of main text: less was found in menus and notices, so these are looked at as well

# Words of main text up to which a page can be a wall. A paywall leaves the first paragraphs of the article, the others
# leave their own notice.
WORDS: dict[Kind, int] = {
    "challenge": 120,
    "captcha": 120,
    "consent": 250,
    "scripts": 80,
    "login": 150,
    "paywall": 250,
    "error": 120,
}


@dataclass(frozen=True, slots=True)
class Barrier:
    """What stands before a page: its kind, and the sign that it was told by, in a few words."""

    kind: Kind
    sign: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.sign}"


@dataclass(frozen=True, slots=True)
class Sign:
    """A pattern that walls of some kind show, on pages of at most ``words`` words of main text.

    ``where``: in the ``title``; in the ``main`` text, or in all that is seen where there is hardly any; in all that is
    ``seen``; in the ``markup``; in the ``address``.
    """

    barrier: Barrier
    where: Where
    pattern: re.Pattern[str]
    words: int


def find_barrier(*, text: str, seen: str, title: str | None, markup: str, url: str) -> Barrier | None:
    """The wall that a page is, if it is one; of several signs the first in the order of ``SIGNS``.

    ``text`` is the main text, ``seen`` all that a reader sees, ``markup`` the source, ``url`` where it was found.
    """
    words = len(text.split())
    shown = seen if len(seen) <= 2 * MAX_SEEN else f"{seen[:MAX_SEEN]} {seen[-MAX_SEEN:]}"
    places: dict[Where, str] = {
        "title": f"{_single_spaced(title or '')[:500]}\n{_titled(markup[:MAX_MARKUP])}",
        "main": shown if words < HARDLY_ANY_WORDS else _single_spaced(text[:MAX_SEEN]),
        "seen": shown,
        "markup": markup[:MAX_MARKUP],
        "address": url[:2_000],
    }
    for sign in SIGNS:
        if words <= sign.words and sign.pattern.search(places[sign.where]):
            return sign.barrier
    return None


def barrier_of_error(status: int | None, body: bytes) -> Barrier | None:
    """What an answer with the status of an error was, where it is a wall; ``body`` is the beginning of what it said."""
    beginning = body.decode("utf-8", "replace")
    places: dict[Where, str] = {
        "title": _titled(beginning),
        "main": _single_spaced(re.sub(r"<[^<>]{0,500}>", " ", beginning)),
        "markup": beginning,
    }
    for sign in SIGNS:
        if sign.barrier.kind in ("challenge", "captcha") and sign.pattern.search(places.get(sign.where, "")):
            return sign.barrier
    match status:
        case 401 | 407:
            return Barrier("login", "the site asks for a name and a password")
        case 402:
            return Barrier("paywall", "the site asks for a payment")
        case _:
            return None


def _titled(markup: str) -> str:
    """What the ``<title>`` says; extraction prefers headings, which walls use for other things."""
    found = re.search(r"<title[^>]{0,200}>([^<]{0,500})", markup, re.IGNORECASE)
    return _single_spaced(found.group(1)) if found else ""


def _single_spaced(text: str) -> str:
    return " ".join(text.split())


def _signs(kind: Kind, where: Where, patterns: dict[str, str], words: int | None = None) -> tuple[Sign, ...]:
    return tuple(
        Sign(
            Barrier(kind, name),
            where,
            re.compile(pattern, re.IGNORECASE | re.MULTILINE),
            WORDS[kind] if words is None else words,
        )
        for name, pattern in patterns.items()
    )


_THIS_CONTENT = r"(?:this|the rest of this|the full) (?:article|story|content|post)"
_NOT_TO_TALK = (
    r"(?!comment|post|leave|reply|vote|join the (?:discussion|conversation)|submit|write|add|like|save|follow)"
)

SIGNS: tuple[Sign, ...] = (
    *_signs(
        "challenge",
        "title",
        {
            "Cloudflare checks the browser": r"^(?:just a moment\b|attention required! \| cloudflare)",
            "a check of browsers": r"^(?:ddos-guard|vercel security checkpoint|client challenge|one moment)\b",
        },
    ),
    *_signs(
        "challenge",
        "markup",
        {
            "Cloudflare checks the browser": r"_cf_chl_opt|cf-browser-verification|challenge-platform/h/\w/orchestrate",
            "Imperva checks the browser": r"_Incapsula_Resource\?|Incapsula incident ID",
            "DataDome checks the browser": r"captcha-delivery\.com",
            "AWS checks the browser": r"window\.gokuProps|AwsWafIntegration\.(?:saveReferrer|checkForceRefresh)",
            "Anubis checks the browser": r"id\s?=\s?[\"']anubis_challenge",
        },
    ),
    *_signs(
        "challenge",
        "main",
        {
            "a check of browsers": r"checking (?:if the site connection is secure|your browser before)",
        },
    ),
    *_signs(
        "captcha",
        "title",
        {
            "a captcha": r"^(?:captcha|robot check|access to this page has been denied|pardon our interruption"
            r"|are you (?:a )?(?:human|robot))\W*$"
        },
    ),
    *_signs("captcha", "markup", {"PerimeterX asks for a press": r"id\s?=\s?[\"']px-captcha"}),
    *_signs(
        "captcha",
        "main",
        {
            "unusual traffic": r"unusual traffic from your (?:computer )?network",
            "asks whether one is a robot": r"(?:are you|(?:you|i)(?:['’]re|['’]m| are| am) not) a robot\b",
            "an image to read": r"(?:enter|type) the (?:characters|letters|text) (?:you see|shown|in the image)",
            "a captcha": r"(?:complete|solve) (?:the|this) (?:captcha|security check|puzzle)"
            r"|verif(?:y|ying) (?:that )?you are (?:a )?human",
            "refuses machines": r"automated (?:access|queries|requests|traffic)[^.]{0,80}"
            r"(?:detected|blocked|not (?:allowed|permitted))",
        },
    ),
    *_signs("consent", "address", {"an address for consent": r"^https?://(?:consent|guce|myprivacy|cmp)\."}),
    *_signs(
        "consent",
        "title",
        {"asks for consent first": r"^(?:before you continue|bevor sie zu|avant d['’]accéder|antes de continuar)"},
    ),
    *_signs(
        "consent",
        "main",
        {
            "asks for consent first": r"before you continue to (?:google|youtube|yahoo)",
            "partners and cookies": r"(?:we|wir|nous) (?:and|und|et) (?:our|unsere|nos) (?:\d{1,4} )?(?:\w+ )?"
            r"(?:partners?|partenaires)\b.{0,400}(?:cookies|device|gerät|terminal)",
            "advertising or payment": r"(?:continue|weiter|weiterlesen|lesen)[^.]{0,60}"
            r"(?:with (?:ads|advertising)|mit werbung)[^.]{0,200}(?:subscri|\babo\b|tracking|\bpur\b)",
            "cookies to accept": r"^.{0,300}\b(?:accept all|alle akzeptieren|tout accepter|aceptar todo)\b.{0,300}$",
        },
    ),
    *_signs(
        "scripts",
        "main",
        {
            "needs JavaScript": r"(?:enable|turn on|activate|allow) java ?script\b|activer java ?script"
            r"|java ?script (?:is not available|is disabled|is required|has been disabled|aktivieren|activado)"
        },
    ),
    *_signs(
        "scripts",
        "markup",
        {
            "needs JavaScript": r"<noscript>(?:[^<]{0,80}<(?!/noscript)[^>]{1,100}>){0,4}[^<]{0,80}"
            r"(?:enable|turn on|requires?|need|activate) java ?script\b"
        },
        words=HARDLY_ANY_WORDS,
    ),
    *_signs(
        "login",
        "address",
        {
            "an address for login": r"^https?://[^/]{1,200}/(?:[a-z]{2}/)?"
            r"(?:login|signin|sign-in|log-in|authwall|accounts/login|checkpoint)(?:[/?#.]|$)"
        },
    ),
    *_signs(
        "login",
        "title",
        {
            "asks to log in": r"^(?:log ?in|sign ?in|anmelden|connexion|iniciar sesión|login • instagram)(?:\W|$)"
            r"|^log in or sign up"
        },
    ),
    *_signs(
        "login",
        "main",
        {
            "asks to log in": r"(?:you must|you need to|you have to|please) (?:be )?(?:logged|log|signed|sign) ?in"
            r"(?: or (?:register|sign up|create an account))? (?:to|in order to|before) " + _NOT_TO_TALK,
            "asks to log in or to join": r"(?:log ?in|sign ?in|join)(?: now| for free)? to "
            r"(?:continue|view|see|read|access)",
        },
    ),
    *_signs("login", "markup", {"a field for a password": r"<input[^>]{1,300}type\s?=\s?[\"']?password"}, words=40),
    *_signs(
        "paywall",
        "seen",
        {
            "subscribe to continue": r"subscribe (?:now )?(?:to|and) "
            r"(?:continue|keep reading|unlock|read (?:the full|the rest|this|on\b)|get (?:full|unlimited) access)",
            "to be read on by subscribers": r"(?:to (?:continue|keep) reading|read the (?:full|rest of the|whole) "
            r"(?:article|story))[^.]{0,80}(?:subscri|register|sign (?:in|up)|log ?in|become a)",
            "for subscribers only": _THIS_CONTENT + r" is (?:only |exclusively )?(?:for|available to|reserved for) "
            r"(?:our )?(?:\w+ )?(?:subscribers|members|premium)"
            r"|nur für abonnenten|réservée? aux abonnés|(?:exclusivo|solo) para suscriptores",
            "the free articles are read": r"you(?:['’]ve| have) (?:reached your (?:\w+ )?(?:article )?limit"
            r"|read your (?:last|final|\w+ free))",
            "the rest is for subscribers": r"diesen artikel weiterlesen|jetzt weiterlesen|weiterlesen mit "
            r"|il vous reste \d{1,3}(?:[.,]\d{1,2})? ?% de cet article|suscríbete para (?:seguir|continuar)",
        },
    ),
    *_signs(
        "paywall",
        "markup",
        {"said not to be free by its own markup": r"\"isAccessibleForFree\"\s{0,9}:\s{0,9}\"?false"},
    ),
    *_signs(
        "error",
        "title",
        {
            "an error for a title": r"^(?:error )?(?:4[0-5]\d|50[0-4])\W{0,4}(?:$|(?:page |file )?not found|forbidden"
            r"|error|bad|unauthorized|unavailable|service|internal|access|gone|too many|gateway)"
            r"|^(?:access denied|forbidden|not found|service unavailable|bad gateway|page introuvable|oops"
            r"|site maintenance|under maintenance|account suspended)(?:\W|$)",
            "page not found": r"^(?:page|seite|file|article|content|página|document) (?:you requested )?"
            r"(?:not found|nicht gefunden|no encontrada|cannot be found|unavailable|not available|does not exist)",
        },
    ),
    *_signs(
        "error",
        "main",
        {
            "page not found": r"(?:the|this|that) page (?:you(?:['’]re| are) looking for |you requested )?"
            r"(?:could ?n[o'’]t be found|cannot be found|does ?n[o'’]t exist|no longer exists|isn['’]t available"
            r"|is no longer available|has been (?:removed|deleted))",
            "access denied": r"you don['’]t have permission to access",
            "not for readers of this country": r"(?:not available|unavailable|cannot (?:grant|be accessed))[^.]{0,80}"
            r"(?:in your (?:country|region|location)|due to legal reasons)|european economic area \(eea\)",
            "a domain without a site": r"(?:this|the) domain(?: name)? (?:\S{1,100} )?(?:is|may be) (?:for sale|parked)"
            r"|buy this domain",
            "a server without a site": r"welcome to nginx!|apache2 (?:ubuntu |debian )?default page"
            r"|this account has been suspended",
            "maintenance": r"(?:down for|undergoing|performing) (?:scheduled )?maintenance",
            "no copy in the archive": r"has not archived that url|got an http \d{3} response at crawl time",
        },
    ),
)
