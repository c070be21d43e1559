"""A checked text as a report: a page of HTML that needs nothing else, Markdown, JSON. Everything of it is escaped."""

import json
from collections import Counter
from collections.abc import Iterator

from wkgfc.documents.checking import CheckedSentence, CheckedText
from wkgfc.exports.citations import cited, markdown_text, reasons
from wkgfc.exports.links import web_address
from wkgfc.exports.notebook import COLOURS, NO_VERDICT, link, shown
from wkgfc.result import CheckResult

_STYLE = f"""body{{max-width:52rem;margin:2rem auto;padding:0 1rem;
font:16px/1.55 sans-serif;color:#222;background:#fff}}
.text{{white-space:pre-wrap}} mark{{color:inherit;background:none;border-bottom:3px solid {NO_VERDICT}}}
mark a{{color:inherit;text-decoration:none}} li{{margin:1rem 0}} .unclear{{border-bottom:2px dotted {NO_VERDICT}}}
{"".join(f"mark.{each.name}{{border-color:{colour};background:{colour}22}}" for each, colour in COLOURS.items())}
@media (prefers-color-scheme:dark){{body{{background:#1b1b1b;color:#ddd}} a{{color:#8ab4f8}}}}"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def json_report(checked: CheckedText) -> str:
    """All of it as JSON: the text, each sentence with place, claim and result (as ``docs/contract.md`` has it)."""
    record = checked.model_dump(mode="json", exclude={"sentences"})
    record["sentences"] = [
        {
            "sentence": each.sentence.model_dump(mode="json"),
            "result": each.result.to_json() if each.result is not None else None,
            "correction": each.correction.model_dump(mode="json") if each.correction is not None else None,
        }
        for each in checked.sentences
    ]
    return json.dumps(record, ensure_ascii=False, indent=2) + "\n"


def summary(checked: CheckedText) -> str:
    """In a line: how many sentences, how many were checked, what came of them, what is left."""
    verdicts = Counter(outcome(each.result) for each in checked.checked if each.result is not None)
    parts = [f"{len(checked.sentences)} sentences", f"{len(checked.checked)} checked"]
    parts += [f"{number} {name}" for name, number in verdicts.most_common()]
    if checked.usage.llm_calls:
        parts.append(f"{checked.usage.llm_calls} calls to find the claims")
    if checked.left:
        parts.append(f"{checked.left} not reached")
    return ", ".join(parts)


def outcome(result: CheckResult) -> str:
    """The veracity, or why there is none, in a few words."""
    if result.veracity is not None:
        return str(result.veracity)
    return "Not checkable" if result.stop_reason == "not_checkable" else "Error"


def html_report(checked: CheckedText) -> str:
    """A page: the text with its claims in colour, then each of them with reasons, evidence and what it should say."""
    title = checked.source.title or "A checked text"
    origin = f"<p>{link(checked.source.url, checked.source.url)}</p>" if checked.source.url else ""
    items = "".join(_item(number, each) for number, each in enumerate(checked.sentences, 1) if each.result is not None)
    others = "".join(
        f"<li>“{shown(each.sentence.text)}” <i>{shown(each.sentence.reason)}</i></li>"
        for each in checked.sentences
        if each.result is None
    )
    notes = "".join(f"<p>{shown(note)}</p>" for note in checked.notes)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{shown(title)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{shown(title)}</h1>{origin}<p>{shown(summary(checked))}.</p>{notes}"
        f'<div class="text">{"".join(_marked(checked))}</div>'
        f"<h2>Checked</h2><ol>{items}</ol><h2>Not checked</h2><ul>{others}</ul></body></html>\n"
    )


def _marked(checked: CheckedText) -> Iterator[str]:
    at = 0
    for number, each in enumerate(checked.sentences, 1):
        sentence = each.sentence
        yield shown(checked.source.text[at : sentence.start])
        # Claims of one sentence may share words: each is marked where the last one ends, or by its number alone.
        text = shown(checked.source.text[max(sentence.start, at) : sentence.end]) or f"[{number}]"
        if each.result is not None:
            verdict = each.result.veracity
            kind = verdict.name if verdict is not None else "none"
            said = shown(outcome(each.result))
            yield f'<mark class="{kind}" id="t{number}" title="{said}"><a href="#c{number}">{text}</a></mark>'
        elif sentence.standing == "unclear" and sentence.end > at:
            yield f'<span class="unclear" title="{shown(sentence.reason)}">{text}</span>'
        else:
            yield text if sentence.end > at else ""
        at = max(at, sentence.end)
    yield shown(checked.source.text[at:])


def _item(number: int, each: CheckedSentence) -> str:
    result = each.result
    assert result is not None
    colour = COLOURS[result.veracity] if result.veracity is not None else NO_VERDICT
    confidence = f" confidence {result.confidence:.2f}" if result.confidence is not None else ""
    evidence = "".join(
        f"<li>[{shown(piece.id)}] {shown(piece.quote or piece.text)} — "
        f"{link(piece.url, piece.title or piece.source)}</li>"
        for piece in cited(result)
    )
    correction = each.correction
    corrected = (
        f"<p>Suggested: <b>{shown(correction.claim)}</b> [{shown(correction.evidence)}]</p>"
        if correction is not None and correction.claim is not None
        else ""
    )
    return (
        f'<li value="{number}" id="c{number}"><a href="#t{number}">{shown(result.claim.text)}</a><br>'
        f'<b style="color:{colour}">{shown(outcome(result))}</b>{confidence}<p>{shown(reasons(result))}</p>'
        f"{corrected}<ul>{evidence}</ul></li>"
    )


def markdown_report(checked: CheckedText) -> str:
    """The claims that were checked with verdict, reasons, evidence and correction, then the sentences that were not."""
    lines = [f"# {markdown_text(checked.source.title or 'A checked text')}", ""]
    address = web_address(checked.source.url)
    lines += [f"<{address}>", ""] if address else []
    lines += [f"{summary(checked)}.", "", *(f"- {markdown_text(note)}" for note in checked.notes), "## Checked", ""]
    for number, each in enumerate(checked.sentences, 1):
        if each.result is not None:
            lines += [*_markdown_item(number, each), ""]
    lines += ["## Not checked", ""]
    lines += [
        f"- “{markdown_text(each.sentence.text)}” {markdown_text(each.sentence.reason)}"
        for each in checked.sentences
        if each.result is None
    ]
    return "\n".join(lines) + "\n"


def _markdown_item(number: int, each: CheckedSentence) -> Iterator[str]:
    result = each.result
    assert result is not None
    confidence = f", confidence {result.confidence:.2f}" if result.confidence is not None else ""
    place = f"characters {each.sentence.start}–{each.sentence.end}"
    yield f"### {number}. {markdown_text(result.claim.text)}"
    yield ""
    yield f"**{outcome(result)}**{confidence} ({place})"
    yield ""
    yield markdown_text(reasons(result))
    yield ""
    if each.correction is not None and each.correction.claim is not None:
        yield f"Suggested: **{markdown_text(each.correction.claim)}** \\[{markdown_text(each.correction.evidence)}\\]"
        yield ""
    for piece in cited(result):
        opened = web_address(piece.url)
        name = markdown_text(piece.title or piece.source)
        source = f"[{name}]({opened})" if opened else name
        yield f"- \\[{markdown_text(piece.id)}\\] {markdown_text(piece.quote or piece.text)} — {source}"
