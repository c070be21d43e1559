"""A result as HTML that a notebook shows, and many results as the rows of a table."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from wkgfc.claim import Veracity, visible_text
from wkgfc.exports.citations import cited, cited_sentences, reasons
from wkgfc.exports.links import web_address
from wkgfc.exports.network import network
from wkgfc.exports.picture import svg

if TYPE_CHECKING:
    from wkgfc.evidence import Stance
    from wkgfc.result import CheckResult, CitedEvidence

COLOURS = {
    Veracity.SUPPORTED: "#2f855a",
    Veracity.REFUTED: "#c0392b",
    Veracity.NOT_ENOUGH_EVIDENCE: "#b7791f",
    Veracity.CONFLICTING_EVIDENCE: "#805ad5",
}
NO_VERDICT = "#718096"
MOST_ROWS = 200


def result_html(result: "CheckResult") -> str:
    """Verdict, sentences with footnotes, cited evidence and the picture of the evidence graph.

    Every text is escaped, and only addresses of the web are links: a page cannot put anything into the notebook.
    """
    picture = svg(network(result)) if result.graph is not None else None
    parts = [
        f'<p style="margin:0;color:{NO_VERDICT}">{shown(result.claim.text)}</p>',
        _headline(result),
        _justification(result),
        _table(cited(result)),
        f"<details open><summary>Evidence graph</summary>{picture}</details>" if picture else "",
        _earlier(result),
        "".join(f'<p style="margin:2px 0;color:#c0392b">Failed: {shown(error)}</p>' for error in result.errors),
    ]
    return f'<div class="wkgfc-result" style="max-width:800px">{"".join(parts)}</div>'


def results_table(results: Iterable["CheckResult"]) -> list[dict[str, Any]]:
    """A flat row a result, as ``pandas.DataFrame`` takes them.

    Columns: claim, date, veracity, confidence, a probability each (``p_supported`` …), justification (sentences with
    their citations), citations (all ids, separated by spaces), sources (addresses, likewise), stop_reason, flags,
    errors, seconds, cost_usd.
    """
    return [_row(result) for result in results]


def results_html(results: "Sequence[CheckResult]") -> str:
    """A table of many results: claim, verdict, confidence, why; at most ``MOST_ROWS`` of them, as a page gets slow."""
    rows = "".join(
        f'<tr><td style="text-align:left">{shown(each.claim.text)}</td><td>{_verdict(each)}</td>'
        f"<td>{'' if each.confidence is None else f'{each.confidence:.2f}'}</td>"
        f'<td style="text-align:left">{shown(reasons(each))}</td></tr>'
        for each in results[:MOST_ROWS]
    )
    head = "".join(f"<th>{name}</th>" for name in ("claim", "verdict", "confidence", "why"))
    more = f"<p>… and {len(results) - MOST_ROWS:,} more</p>" if len(results) > MOST_ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"


def shown(text: str) -> str:
    """Text as HTML shows it, without signs that a reader does not see."""
    return escape(visible_text(text))


def link(address: str | None, text: str) -> str:
    """A link that tells its page nothing of where it was; the text alone where the address is none of the web."""
    opened = web_address(address)
    said = shown(text)
    if opened is None:
        return said
    return f'<a href="{escape(opened)}" target="_blank" rel="noopener noreferrer">{said}</a>'


def _verdict(result: "CheckResult") -> str:
    if result.veracity is None:
        return f'<span style="color:{NO_VERDICT}">{shown(result.stop_reason)}</span>'
    return f'<b style="color:{COLOURS[result.veracity]}">{result.veracity}</b>'


def _headline(result: "CheckResult") -> str:
    if result.veracity is None:
        reason = result.checkability.reason if result.stop_reason == "not_checkable" else result.stop_reason
        return f'<p style="margin:4px 0;color:{NO_VERDICT}"><b>No verdict</b> {shown(reason)}</p>'
    confidence = f" confidence {result.confidence:.2f}" if result.confidence is not None else ""
    colour = COLOURS[result.veracity]
    return f'<p style="margin:4px 0"><b style="color:{colour};font-size:1.2em">{result.veracity}</b>{confidence}</p>'


def _justification(result: "CheckResult") -> str:
    sentences = (
        shown(sentence.text) + "".join(f" <sup>[{shown(each)}]</sup>" for each in sentence.citations)
        for sentence in result.justification
    )
    return f'<p style="margin:4px 0">{" ".join(sentences)}</p>' if result.justification else ""


def _table(evidence: "list[CitedEvidence]") -> str:
    if not evidence:
        return ""
    rows = "".join(
        f"<tr><td>{shown(piece.id)}</td>"
        f'<td style="text-align:left">{shown(piece.quote or piece.text)}</td><td>{_stance(piece.stance)}</td>'
        f'<td style="text-align:left">{link(piece.url, piece.title or piece.source)}</td></tr>'
        for piece in evidence
    )
    head = "".join(f"<th>{name}</th>" for name in ("id", "evidence", "says", "source"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _earlier(result: "CheckResult") -> str:
    if not result.earlier_checks:
        return ""
    rows = "".join(
        f"<li>{link(check.url, check.publisher or check.url)}: {shown(check.rating)} — “{shown(check.claim)}”</li>"
        for check in result.earlier_checks
    )
    return (
        f"<details><summary>Earlier fact-checks, which this verdict does not rest on</summary><ul>{rows}</ul></details>"
    )


def _stance(stance: "Stance | None") -> str:
    if stance is None or stance.neither >= max(stance.supports, stance.refutes):
        return ""
    return f"for {stance.supports:.2f}" if stance.supports >= stance.refutes else f"against {stance.refutes:.2f}"


def _row(result: "CheckResult") -> dict[str, Any]:
    used = cited(result)
    return {
        "claim": result.claim.text,
        "date": result.claim.date,
        "veracity": str(result.veracity) if result.veracity is not None else None,
        "confidence": result.confidence,
        **{f"p_{each.name.lower()}": result.probabilities.get(each) for each in Veracity},
        "justification": cited_sentences(result),
        "citations": " ".join(dict.fromkeys(each for said in result.justification for each in said.citations)),
        "sources": " ".join(dict.fromkeys(address for piece in used if (address := web_address(piece.url)))),
        "stop_reason": result.stop_reason,
        "flags": ", ".join(result.flags),
        "errors": "; ".join(result.errors),
        "seconds": round(sum(result.seconds.values()), 4),
        "cost_usd": result.usage.cost_usd,
    }
