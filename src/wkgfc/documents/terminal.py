"""A checked text on a terminal: its sentences in the colour of their verdicts, then what is wrong in it."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from wkgfc.claim import Veracity, visible_text
from wkgfc.documents.checking import CheckedText
from wkgfc.documents.claims import TextSentence
from wkgfc.documents.reports import outcome, summary
from wkgfc.exports.citations import cited
from wkgfc.render import COLOURS


def checked_view(checked: CheckedText) -> RenderableType:
    """The text with its claims numbered, the refuted and the conflicting ones in detail, and a summary."""
    notes = (Text(visible_text(note), style="yellow") for note in checked.notes)
    return Group(_text(checked), Text(), *_details(checked), *notes, Text(summary(checked) + ".", style="bold"))


def _text(checked: CheckedText) -> Text:
    drawn, at = Text(), 0
    for number, each in enumerate(checked.sentences, 1):
        sentence = each.sentence
        drawn.append(visible_text(checked.source.text[at : sentence.start]))
        said = visible_text(checked.source.text[max(sentence.start, at) : sentence.end])
        if each.result is None:
            drawn.append(said, style="dim")
        else:
            verdict = each.result.veracity
            style = COLOURS[verdict].removeprefix("bold ") if verdict is not None else "red"
            drawn.append(said, style=style)
            drawn.append(f" [{number} {outcome(each.result)}]", style=f"bold {style}")
        at = max(at, sentence.end)
    return drawn


def _details(checked: CheckedText) -> Iterator[Text]:
    for number, each in enumerate(checked.sentences, 1):
        result = each.result
        if result is None or result.veracity not in (Veracity.REFUTED, Veracity.CONFLICTING_EVIDENCE):
            continue
        yield Text.assemble((f"{number}. {visible_text(result.claim.text)}", COLOURS[result.veracity]))
        for sentence in result.justification:
            yield Text.assemble(
                f"   {visible_text(sentence.text)} ", (" ".join(f"[{each}]" for each in sentence.citations), "cyan")
            )
        if each.correction is not None and each.correction.claim is not None:
            yield Text(
                f"   Suggested: {visible_text(each.correction.claim)} [{each.correction.evidence}]", style="bold"
            )
        for piece in cited(result):
            yield Text(f"   {piece.id}  {visible_text(piece.url or piece.source)}", style="dim")
        yield Text()


def claims_view(sentences: Sequence[TextSentence], notes: Sequence[str] = ()) -> RenderableType:
    """The sentences with what each claims, how much there is to check and why it would be checked or not."""
    lines = (line for number, each in enumerate(sentences, 1) for line in _claim(number, each))
    return Group(*lines, *(Text(visible_text(note), style="yellow") for note in notes))


def _claim(number: int, sentence: TextSentence) -> Iterator[Text]:
    is_worth = sentence.standing == "worth checking"
    style = "" if is_worth else "dim"
    yield Text(f"{number}. {visible_text(sentence.claim)}", style=style)
    yield Text(f"   {sentence.score:.2f}  {sentence.standing}: {visible_text(sentence.reason)}", style="dim")
    for each in sentence.replacements:
        yield Text(f"   “{visible_text(each.said)}” is {visible_text(each.meant)}", style="dim")
