"""The verifier: a small model that says how far a text supports or contradicts a claim.

It is a cross-encoder with three classes, run by onnxruntime from a folder of three files: ``model-int8.onnx`` (inputs
``input_ids``, ``attention_mask`` and, for a BERT, ``token_type_ids``; output ``logits``, pairs x 3: supports, refutes,
neither), ``tokenizer.json`` and ``verifier.json``, which says what the model is called and how its logits become
probabilities. The first segment is the evidence, written "Title: text", the second the claim.
"""

import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wkgfc.errors import NotConfigured
from wkgfc.reasoning.claim_sentences import joined, sentences_of
from wkgfc.reasoning.windows import (
    MAX_WINDOWS,
    SINGLE_SENTENCES,
    Probabilities,
    combined,
    likeness,
    pieces_of,
    windows_of,
)
from wkgfc.sentences import sentence_spans
from wkgfc.usage import count

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

EMBEDDED = Path(__file__).parent / "embedded" / "verifier"
MODEL = "model-int8.onnx"
TOKENIZER = "tokenizer.json"
CARD = "verifier.json"

PAIR_TOKENS = 160  # evidence, claim and marks together, as the model was trained
LEAST_EVIDENCE_TOKENS = 64  # what a long claim leaves to the evidence; the pair then exceeds PAIR_TOKENS
MAX_CLAIM_TOKENS = 256  # the model knows 512 positions
MAX_CHARACTERS = 1_000_000  # of one text; the rest is not read
REMEMBERED_PAIRS = 4_096  # judgements of one check ask again for the same pairs
REMEMBERED_CHARACTERS = 4_000  # a longer text is read again

_INPUTS = {"input_ids", "attention_mask"}
_SEGMENTS = "token_type_ids"


class Card(BaseModel):
    """What ``verifier.json`` says. ``model_bytes`` tells a file that was cut; ``temperature`` divides the logits."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    format: Literal[1]
    name: str = Field(min_length=1, max_length=80)
    temperature: float = Field(1.0, gt=0)
    model_bytes: int = Field(gt=0)


class _Judged(NamedTuple):
    """The stretch of the text that decided, from ``start`` to ``end``, and for which part of the claim."""

    probabilities: Probabilities
    start: int
    end: int
    part: str


@dataclass(frozen=True)
class Ground:
    """What a text says of a claim, and where: ``probabilities`` of supports, refutes and neither, and the sentence that
    decided, from ``start`` to ``end`` in the text. Where nothing can be read the sentence is empty."""

    probabilities: Probabilities
    sentence: str
    start: int
    end: int


class Verifier:
    """A loaded verifier. It may be used by several threads at once.

    Pairs are run one by one. The model's activations are quantised by the range that they have in a batch, so in a
    batch the score of a pair depends on its company (by 0.007 in the mean and by up to 0.3, over 304 pairs of FEVER
    in batches of 4 to 32); and with one thread a pair alone is no slower, as nothing is padded. ``threads`` are those
    of one run; ``temperature`` divides the logits (over 1: less sure), that of the model's card without.

    >>> Verifier().score(["Paris is the capital of France."], ["Paris is in France."]).argmax()
    np.int64(0)
    """

    def __init__(self, folder: Path = EMBEDDED, *, threads: int = 1, temperature: float | None = None) -> None:
        if temperature is not None and temperature <= 0:
            raise ValueError("a temperature is over zero")
        self.folder = folder
        self.card, self._session, self._tokenizer = _open(folder, threads)
        self.name = self.card.name
        self.temperature = temperature or self.card.temperature
        self._marks: int = self._tokenizer.num_special_tokens_to_add(True)
        self._has_segments = any(given.name == _SEGMENTS for given in self._session.get_inputs())
        self._remembered: OrderedDict[tuple[str, str], _Judged] = OrderedDict()
        self._lock = threading.Lock()

    @cached_property
    def digest(self) -> str:
        """The sha256 of its model and its tokenizer: two verifiers of one name may be two."""
        digest = hashlib.sha256()
        for name in (MODEL, TOKENIZER):
            with (self.folder / name).open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()

    def score(self, evidence: Sequence[str], claims: Sequence[str]) -> "NDArray[float64]":
        """Probabilities that each text supports, refutes or does neither to its claim: n x 3, rows sum to one.

        Texts may be of any length up to ``MAX_CHARACTERS``: one that is too long for the model is read in windows of
        whole sentences and in its likeliest sentences alone, at most ``MAX_WINDOWS`` stretches, those that share most
        with the claim. A claim of several sentences is judged sentence by sentence: it is supported as far as the
        weakest of them. Each is cut after ``MAX_CLAIM_TOKENS`` tokens. Where nothing can be read in either (no
        letter, no digit) the answer is "neither" without the model. Each pair that the model reads is counted as
        ``verifier_pairs``; one that it has read lately is neither read nor counted again.

        Raises:
            ValueError: there are not as many texts as claims.
        """
        import numpy as np  # noqa: PLC0415 - ``wkgfc --help`` must not pay for it

        rows = [self._judge(text, claim).probabilities for text, claim in zip(evidence, claims, strict=True)]
        return np.array(rows, dtype=np.float64).reshape(len(rows), 3)

    def explain(self, evidence: str, claim: str) -> Ground:
        """What ``score`` says of one text, with the sentence that decided.

        In the window that decided it is the sentence that alone says most for the likeliest of the three, of that part
        of the claim which decided.
        """
        probabilities, start, end, part = self._judge(evidence, claim)
        if start == end:
            return Ground(probabilities, "", 0, 0)
        spans = [(start + first, start + last) for first, last in sentence_spans(evidence[start:end])]
        likeliest = max(range(3), key=probabilities.__getitem__)
        said = {span: self._judge(evidence[slice(*span)], part).probabilities[likeliest] for span in spans}
        first, last = max(said, key=said.__getitem__) if said else (start, end)
        return Ground(probabilities, evidence[first:last], first, last)

    def forget(self) -> None:
        """Forget the pairs that it has read, so that what comes next does not depend on what came before."""
        with self._lock:
            self._remembered.clear()

    def number_of_tokens(self, text: str) -> int:
        """How many tokens a text has, marks not counted."""
        return len(self._encoded(text).ids)

    def _judge(self, text: str, claim: str) -> _Judged:
        text = text[:MAX_CHARACTERS]
        if not (is_readable(text) and is_readable(claim)):
            return _Judged((0.0, 0.0, 1.0), 0, 0, claim)
        known = self._known(text, claim)
        if known is not None:
            return known
        parts = sentences_of(claim)
        first = self._encoded(text)
        by_part = [self._judge_part(text, first, part, MAX_WINDOWS // len(parts)) for part in parts]
        probabilities, decided = joined([each.probabilities for each in by_part])
        judged = by_part[decided]._replace(probabilities=probabilities)
        self._remember(text, claim, judged)
        return judged

    def _judge_part(self, text: str, first: Any, part: str, most: int) -> _Judged:
        """What a text, encoded as ``first``, says of one part of a claim, read in ``most`` stretches at most."""
        second = self._encoded(part)
        second.truncate(MAX_CLAIM_TOKENS)
        room = max(PAIR_TOKENS - self._marks - len(second.ids), LEAST_EVIDENCE_TOKENS)
        if len(first.ids) <= room:
            return _Judged(self._run(first, second), 0, len(text), part)
        ids, offsets = first.ids, first.offsets  # copies, each time that they are asked for
        sentences = sentence_spans(text)
        ranges = windows_of(offsets, sentences, room)
        known = set(ranges)
        single = [each for each in pieces_of(offsets, sentences, room) if each not in known]
        alone = likeness([ids[start:end] for start, end in single], second.ids)
        ranges += [single[at] for at in sorted(range(len(single)), key=lambda at: -alone[at])[:SINGLE_SENTENCES]]
        like = likeness([ids[start:end] for start, end in ranges], second.ids)
        chosen = sorted(sorted(range(len(ranges)), key=lambda at: -like[at])[:most])
        spans = [(offsets[ranges[at][0]][0], offsets[ranges[at][1] - 1][1]) for at in chosen]
        scores = []
        for start, end in spans:
            window = self._encoded(text[start:end])
            window.truncate(room)  # a word that began inside another is read anew
            scores.append(self._run(window, second) if is_readable(text[start:end]) else (0.0, 0.0, 1.0))
        probabilities, decided = combined(scores, [like[at] for at in chosen])
        return _Judged(probabilities, *spans[decided], part)

    def _known(self, text: str, claim: str) -> _Judged | None:
        with self._lock:
            known = self._remembered.get((text, claim))
            if known is not None:
                self._remembered.move_to_end((text, claim))
            return known

    def _remember(self, text: str, claim: str, judged: _Judged) -> None:
        if len(text) > REMEMBERED_CHARACTERS:
            return
        with self._lock:
            self._remembered[text, claim] = judged
            if len(self._remembered) > REMEMBERED_PAIRS:
                self._remembered.popitem(last=False)

    def _run(self, first: Any, second: Any) -> Probabilities:
        import numpy as np  # noqa: PLC0415 - see ``score``

        both = self._tokenizer.post_process(first, second)
        ids = np.array([both.ids], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        if self._has_segments:
            feed[_SEGMENTS] = np.array([both.type_ids], dtype=np.int64)
        logits = self._session.run(["logits"], feed)[0][0].astype(np.float64) / self.temperature
        count("verifier_pairs")
        powers = np.exp(logits - logits.max())
        supports, refutes, neither = (powers / powers.sum()).tolist()
        return (supports, refutes, neither)

    def _encoded(self, text: str) -> Any:
        whole = text.encode("utf-8", "replace").decode("utf-8")  # half of a surrogate pair is no text to the tokenizer
        return self._tokenizer.encode(whole, add_special_tokens=False)


@lru_cache(maxsize=4)
def load_verifier(folder: Path | None = None, *, threads: int = 1, temperature: float | None = None) -> Verifier:
    """The verifier in ``folder`` (the embedded one without), loaded once a process.

    Raises:
        NotConfigured: a file of it is missing or damaged, or holds another kind of model.
    """
    return Verifier(folder or EMBEDDED, threads=threads, temperature=temperature)


def is_readable(text: str) -> bool:
    """Whether a text has a letter or a digit."""
    return any(map(str.isalnum, text))


def _open(folder: Path, threads: int) -> tuple[Card, Any, Any]:
    """The card, the session and the tokenizer, each known to be what this module needs."""
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # its builds since 1.32 tell Microsoft of every session
    try:
        import onnxruntime  # noqa: PLC0415 - half a second that ``wkgfc --help`` must not pay
        from tokenizers import Tokenizer  # noqa: PLC0415 - see above
    except ImportError as error:
        raise NotConfigured(f"the verifier needs {error.name}: pip install onnxruntime tokenizers") from error
    for name in (MODEL, TOKENIZER, CARD):
        if not (folder / name).is_file():
            raise NotConfigured(f"there is no verifier in {folder}: {name} is missing")
    damaged = f"the verifier in {folder} cannot be read"
    card = _card(folder, damaged)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting threads leave the cores alone
    options.log_severity_level = 4  # what is wrong is raised, and said once
    try:
        session = onnxruntime.InferenceSession(folder / MODEL, options, providers=["CPUExecutionProvider"])
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    except Exception as error:  # both libraries raise bare exceptions of their own
        raise NotConfigured(f"{damaged} ({_first_line(error)}): put the files there again") from error
    outputs = {output.name: output.shape for output in session.get_outputs()}
    inputs = {given.name for given in session.get_inputs()}
    if inputs - {_SEGMENTS} != _INPUTS or outputs.get("logits", [None])[-1] != 3:
        raise NotConfigured(f"the model in {folder} is no verifier: it needs inputs of tokens and gives three logits")
    if tokenizer.num_special_tokens_to_add(True) < 3:
        raise NotConfigured(f"{damaged} (its tokenizer sets no marks around pairs): put the files there again")
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return card, session, tokenizer


def _card(folder: Path, damaged: str) -> Card:
    try:
        card = Card.model_validate_json((folder / CARD).read_bytes())
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or CARD
        raise NotConfigured(f"{damaged} ({where}: {first['msg']}): put the files there again") from error
    size = (folder / MODEL).stat().st_size
    if size != card.model_bytes:
        raise NotConfigured(
            f"{damaged} ({MODEL} has {size} bytes, not {card.model_bytes} as {CARD} says): put the files there again"
        )
    return card


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines()
    return lines[0][:160] if lines else type(error).__name__
