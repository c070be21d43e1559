"""Text that steers whoever checks a claim towards a verdict, or plays the machinery that checks it.

No single word gives such a text away. What does is that a verdict, in the words in which verdicts are given here,
stands beside words that turn to the reader: an order to answer so, a machine that is addressed, a part to be played, a
look at other evidence that is forbidden. And nobody but a forger writes the turns of an agent, the fields of its
answers, the ids of its evidence or the borders of its prompts into a page.
"""

import re
from collections.abc import Iterator

AROUND = 200  # characters on either side of a verdict in which the reader is turned to
AROUND_IDS = 150
LEAST_TURNS = 2  # different turns of an agent, and different fields of an answer, that are no accident

_LABEL = (
    r"(?:Refuted|REFUTED|Supported|SUPPORTED|N(?:ot|OT) E(?:nough|NOUGH) E(?:vidence|VIDENCE)|Conflicting Evidence)"
)
_NOT_PROSE = r"(?![ ](?:by|in|on|at|with|from|through|only|under|and[ ]edited|living|employment)\b)"
_GIVEN = r"(?:mark|set|return|answer|output|write|record|label|resolve|conclude|report|copy|reproduce|treat|confirm"
_GIVEN += r"|keep|give|repeat|put|say|classify|judge|declare|rate|score|register|enter|log|submit|choose|select|find)"

# A verdict by its name; or, in small letters, as what something is to be called.
_VERDICT = re.compile(
    rf"""\b{_LABEL}\b{_NOT_PROSE}
    | \b(?:as|to|be|is|are|was|were|(?:call(?:s|ed)?|deem(?:s|ed)?)(?:[ ](?:it|this|that))?|outcome|verdict|answer
      |label)[ :]{{1,2}}["'“‘*]{{0,3}}
      (?:refuted|supported|disproved|disproven)\b(?![ ]by\b)
    """,
    re.VERBOSE,
)
_TURNS_TO_READER = re.compile(
    rf"""
    # it orders an answer
      (?:^|[.!?:;,\n][ ]|\b(?:to|must|please|and|then|shall|should|now|just|only|will|or)[ ]){_GIVEN}\b
    | \byou[ ](?:must|shall|should|are[ ]to|have[ ]to|need[ ]to|will|may[ ]only|can[ ]only|{_GIVEN})\b
    | \byour[ ](?:\w+[ ])?(?:output|answer|verdict|instructions?|task|operator|outcome|conclusion|judge?ment|rating
      |grades?|response|software|maintainers?|developers?)\b
    # it addresses a machine, or whoever checks
    | \b(?:automat(?:ed|ic)|artificial|machine)[ ](?:readers?|reviewers?|systems?|fact[- ]?checkers?|verif\w+
      |pipelines?|agents?|checks?|processing)\b
    | \b(?:any|every|each|all|the)[ ](?:\w+[ ])?(?:models?|systems?|programs?|bots?|agents?|software|machines?
      |assistants?)[ ](?:that|which|who)[ ](?:reads?|checks?|evaluates?|process\w*|judges?|grades?|sees?)\b
    | \bverification[ ](?:workers?|agents?|systems?|models?|units?)\b
    | \b(?:fact[- ]?checkers|reviewers|evaluators|annotators|graders|verifiers)[ ]?[:,]
    | \bwhoever[ ](?:evaluates|checks|reads|grades|reviews|assesses|judges|verifies)\b
    | \b(?:operator|administrator|admin|root)[ ](?:rights|access|override)\b
    # it plays a part
    | \b(?:imagine|pretend|suppose)(?:[ ]that)?[ ]you\b | \bplay[ ](?:a|the)[ ](?:game|part|role)\b
    | \bin[ ](?:that|this|his|her|your)[ ](?:part|role|character)\b
    # it wants nothing else looked at, or what is told to be hidden
    | \b(?:do[ ]not|don't|never|without)[ ](?:\w+[ ]){{0,2}}?(?:look|search|check|mention|cite|consult|retriev)\w*\b
    | \b(?:nothing|no[ ]other|not?[ ]further)[ ](?:else|sources?|evidence|passages?|checks?|searches?)\b
    # it is markup that is not seen
    | <!-- | <meta\b | \b(?:alt|title|content|value|aria-label|data-[\w-]+)=
    # it shows how others were answered
    | \b(?:example|claim|question|input)[ ]?\d{{0,3}}[.:][^\n]{{0,160}}\b(?:answer|label|output|verdict|outcome)[ ]?:
    """,
    re.VERBOSE | re.IGNORECASE,
)
# What was told before does not count any more; what is encoded is to be followed.
_OVERRULES = re.compile(
    r"""
      \b(?:everything|all|whatever|anything|what)[ ](?:that[ ])?(?:you|your[ ]\w+)[ ](?:\w+[ ]){0,2}?
      (?:told|given|taught|instructed)\b[^.\n]{0,60}?\b(?:void|invalid|null|obsolete|cancelled|superseded|over)\b
    | \b(?:set[ ]aside|discard|drop|abandon|throw[ ]away)[ ](?:everything|all|whatever|anything|what)[ ](?:that[ ])?
      (?:you|your)\b
    | \byour[ ](?:task|instructions|rules|goal|role|job|orders)[ ](?:has|have|is|are)[ ](?:now[ ]|been[ ])?
      (?:changed|replaced|updated|void|cancelled|superseded|different)\b
    | \b(?:decode|decrypt|decipher|unscramble|rot-?13)\b[^.\n]{0,80}?
      \b(?:follow|obey|execute|carry[ ]out|comply|act[ ]on|do[ ](?:it|what|as))\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
# "Ignore the instructions", in languages that the patterns beside these do not have.
_IN_OTHER_SCRIPTS = re.compile(
    r"""
      (?:忽略|忽視|无视|無視|忘记|忘掉|忘記|不要理会|不要遵守|不必理會).{0,14}?(?:指令|指示|说明|說明|规则|規則|提示|命令|要求)
    | (?:指示|命令|プロンプト|指令|ルール).{0,8}?(?:無視|忘れ|従わない)
    | (?:지시|명령|지침|프롬프트|규칙).{0,10}?(?:무시|잊)
    | (?:игнорируй|проигнорируй|забудь|не[ ]обращай|не[ ]следуй|ігноруй|проігноруй|не[ ]зважай)\w*.{0,40}?
      (?:инструкц|указани|команд|правил|подсказ|вказівк|інструкц|наказ)
    | (?:تجاهل|انس|لا[ ]تتبع|نادیده|فراموش).{0,40}?(?:التعليمات|الأوامر|التوجيهات|تعليمات|دستور)
    | (?:دستور\w*|دستورالعمل\w*).{0,30}?(?:نادیده|فراموش)
    | (?:निर्देश|आदेश|अनुदेश).{0,25}?(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल)
    | (?:התעלם|התעלמו|שכח).{0,40}?(?:הוראות|הנחיות|ההוראות|ההנחיות)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_IN_OTHER_LANGUAGES = re.compile(
    r"""\b(?:
      (?:talimat|yönerge|komut)\w*.{0,25}?(?:yok[ ]say|görmezden[ ]gel|unut|dikkate[ ]alma)
    | (?:zignoruj|ignoruj|zapomnij)\w*.{0,40}?(?:instrukcj|polece|zasad|wskazów)
    | (?:negeer|vergeet)\b.{0,40}?(?:instructies|aanwijzingen|opdrachten|regels)
    | (?:ignorera|ignorer|glöm|glem|se[ ]bort)\b.{0,40}?(?:instruktion|anvisning|instruks|regler)
    | (?:bỏ[ ]qua|phớt[ ]lờ|quên)\b.{0,40}?(?:hướng[ ]dẫn|chỉ[ ]thị|lệnh|chỉ[ ]dẫn)
    | (?:abaikan|lupakan)\b.{0,40}?(?:instruksi|perintah|petunjuk|arahan)
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_NOT_LATIN = re.compile(r"[^\W\d_\u0000-\u024f]")
# A verdict by its name in a sentence of another script.
_BESIDE_OTHER_SCRIPTS = re.compile(
    rf"[^\W\d_\u0000-\u024f][\W\d_]{{0,10}}{_LABEL}\b|\b{_LABEL}[\W\d_]{{0,10}}[^\W\d_\u0000-\u024f]"
)

# The machinery, played: turns of an agent, its actions, fields of its answers, its ids, borders of its prompts.
_TURN = re.compile(
    r"""(?:^|[.!?>"”)\]][ ]|\n)(user|human|assistant|system|thought|action|action[ ]input|observation(?=[ ]?[A-Z]?\d*:)
        |(?:function|tool)[ ](?:result|call|output|response)(?=[ ]for)?)(?:[ ](?:for[ ])?\w{1,20})?[ ]?:""",
    re.VERBOSE | re.IGNORECASE,
)
_ACTION = re.compile(r"\b(?:expandKG|initKGRetrieval)\b|\bwebSearch\(")
_FIELD = re.compile(
    r"""["'](veracity|verdict|justification|sufficient|stance|supports|refutes|relevance|citations|confidence|grades?
        |claimReviewed|reviewRating|alternateName)["'][ ]?:""",
    re.VERBOSE | re.IGNORECASE,
)
_BORDER = re.compile(
    r"""</?(?:passages?|evidence|claim|prompt|instructions?|system[-_]\w+|untrusted\w*|user_\w+|tool_\w+|function_\w+
        |search_results?)(?:[ ][^<>\n]{0,60})?/?>
    | [-=#<>*_~\[|]{2,}[ ]?(?:end|begin|start|close)(?:[ ]of)?(?:[ ]the)?[ ]
      (?:evidence|passages?|quoted|quotation|untrusted|context|user[ ]input|search[ ]results?|sources?|web[ ]?page)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ID = re.compile(r"\[[KWS]\d{1,3}\]|\b(?:evidence|observation|passage)s?[ ][KWS]\d{1,3}\b")
_OF_A_CHECK = re.compile(r"\b(?:verdict|claims?|conclude\w*|cite|prove[sn]?|proof|settles?)\b", re.IGNORECASE)


def plays_the_machinery(text: str) -> bool:
    """Whether a text has the shape of what only the machinery of a check writes."""
    return (
        _ACTION.search(text) is not None
        or _BORDER.search(text) is not None
        or len({found[1].casefold() for found in _TURN.finditer(text)}) >= LEAST_TURNS
        or len({found[1].casefold() for found in _FIELD.finditer(text)}) >= LEAST_TURNS
        or any(_OF_A_CHECK.search(around) for around in _around(text, _ID, AROUND_IDS))
    )


def steers(text: str) -> bool:
    """Whether a text turns to its reader to have a verdict given, or what the reader was told set aside."""
    if _OVERRULES.search(text) or _IN_OTHER_LANGUAGES.search(text):
        return True
    if _NOT_LATIN.search(text) and _IN_OTHER_SCRIPTS.search(text):
        return True
    return _BESIDE_OTHER_SCRIPTS.search(text) is not None or any(
        _TURNS_TO_READER.search(around) for around in _around(text, _VERDICT, AROUND)
    )


def _around(text: str, pattern: re.Pattern[str], characters: int) -> Iterator[str]:
    for found in pattern.finditer(text):
        yield text[max(0, found.start() - characters) : found.end() + characters]
