"""Claims about what someone said: "X said that Y", "according to X, Y"."""

import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True)
class Attribution:
    """A speaker as the claim names one, the word for the saying, and what is said to have been said.

    ``speaker`` is empty where the claim leaves it out ("Says the bridge is closed").
    """

    speaker: str
    verb: str
    content: str


# Verbs of saying, not of thinking: that someone thinks so can be checked only as what they said.
_VERBS = (
    r"said|says?|stated?s?|claim(?:s|ed)?|announce[sd]?|told\s+\w+(?:\s+\w+)?|wr(?:ote|ites)|tweet(?:s|ed)|posted|argue[sd]"
    r"|assert(?:s|ed)|declare[sd]|denie[sd]|admit(?:s|ted)|confirm(?:s|ed)|insist(?:s|ed)|suggest(?:s|ed)|report(?:s|ed)"
    r"|allege[sd]|warn(?:s|ed)|predict(?:s|ed)|promise[sd]|vow(?:s|ed)|acknowledged?s?|testified|boasted|complained"
    r"|explain(?:s|ed)|noted|reveal(?:s|ed)|concede[sd]"
)
_SAID = rf"(?:(?:has|have|had|once|also|later|reportedly|publicly)\s+)*(?:{_VERBS})|(?:is|was)\s+quoted\s+as\s+saying"
_SPEAKER = r"(?P<speaker>[A-Z“\"][^:;“\"]{1,120}?)"
_SETTING = r"(?:\s+(?:in|on|at|during|to)\s+[^,“\"]{1,60})?"
_QUOTED = r"[“\"'‘](?P<content>[^“”\"]+)[”\"'’]?"
# A clause: a subject and a verb that has a tense ("the iPhone in 2007" is none).
_CLAUSE = (
    r"(?P<content>(?:[A-Z]|the\b|his\b|her\b|their\b|it\b|he\b|she\b|they\b|there\b|we\b|you\b|no\b|all\b|some\b|most\b|\d)"
    r".*?\s(?:is|are|was|were|has|have|had|will|would|can|could|did|does|do|[a-z]{2,}ed)\b.*)"
)
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_SPEAKER},?\s+(?P<verb>{_SAID}){_SETTING}\s*,?:?\s+that\s+(?P<content>.{{3,}})",
        rf"{_SPEAKER},?\s+(?P<verb>{_SAID}){_SETTING}\s*[,:]?\s+{_QUOTED}\W*(?P<rest>.*)",
        rf"{_SPEAKER}\s+(?P<verb>said|says|claims|claimed|announced|tweeted|stated)\s+{_CLAUSE}",
        r"(?P<verb>[Aa]ccording\s+to)\s+(?P<speaker>[^,]{2,100}),\s+(?P<content>.{3,})",
        r"(?P<content>.{6,}?),?\s+(?P<verb>according\s+to)\s+(?P<speaker>[^,]{2,100}?)[.!]?",
        rf"{_QUOTED},?\s+(?P<verb>{_SAID})\s+(?P<speaker>[A-Z][^,“\"]{{1,80}}?)[.!]?",
        rf"{_QUOTED},?\s+(?P<speaker>[A-Z][^,“\"]{{1,80}}?)\s+(?P<verb>{_SAID})[.!]?",
        r"(?P<verb>Says|Claims|Suggests|Said|Claimed)\s+(?:that\s+)?(?P<content>.{6,})",
    )
)
_NO_SPEAKER = re.compile(
    r"(?:it|he|she|there|one|which|that|what|this|i|we|you|while|when|if|because|although)\b|.*\b(?-i:which|that|who|to|the|a|an|this|no|his|her|their)$"
    r"|.*\b(?:is|was|are|were|has|had|be|been|wasn['’]t|isn['’]t|he|she|they|it)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=1024)
def attribution_of(text: str) -> Attribution | None:
    """Who is said to have said what, or ``None`` where ``text`` states something itself."""
    sentence = re.sub(r"^[\"“](?=[^\"”]+[\"”]?$)|(?<=^)[\"“](?=According)", "", text.strip())
    for form in _FORMS:
        match = form.fullmatch(sentence)
        if match is None:
            continue
        groups = match.groupdict()
        speaker = re.sub(r"^(?:Says|Claims|Even)\s+", "", (groups.get("speaker") or "").strip(' ,"“”'))
        verb = " ".join(groups["verb"].split())
        content = groups["content"].strip(' ,"“”‘’')
        if _NO_SPEAKER.match(speaker):
            continue
        if (groups.get("rest") or "").strip(' .!,"”’'):
            content = f"{content} {(groups.get('rest') or '').strip()}"
        return Attribution(speaker, verb, content)
    return None
