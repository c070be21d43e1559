"""The verifier: a small model that says how far a text supports or contradicts a claim.

It is a cross-encoder with three classes, run by onnxruntime from a folder of three files: ``model-int8.onnx`` (inputs
``input_ids``, ``attention_mask`` and, for a BERT, ``token_type_ids``; output ``logits``, pairs x 3: supports, refutes,
neither), ``tokenizer.json`` and ``verifier.json``, which says what the model is called and how its logits become
probabilities. The first segment is the evidence, written "Title: text", the second the claim.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wkgfc.errors import NotConfigured
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
EVIDENCE_CHARACTERS = 4_000  # more than 160 tokens of any text but long runs of white space or of one word
REMEMBERED_PAIRS = 4_096  # judgements of one check ask again for the same pairs; 24 bytes of scores each

_INPUTS = {"input_ids", "attention_mask"}
_SEGMENTS = "token_type_ids"


class Card(BaseModel):
    """What ``verifier.json`` says. ``model_bytes`` tells a file that was cut; ``temperature`` divides the logits."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    format: Literal[1]
    name: str = Field(min_length=1, max_length=80)
    temperature: float = Field(1.0, gt=0)
    model_bytes: int = Field(gt=0)


class Verifier:
    """A loaded verifier. It may be used by several threads at once.

    Pairs are run one by one. The model's activations are quantised by the range that they have in a batch, so in a
    batch the score of a pair depends on its company (by 0.007 in the mean and by up to 0.3, over 304 pairs of FEVER
    in batches of 4 to 32); and with one thread a pair alone is no slower, as nothing is padded. ``threads`` are those
    of one run; ``temperature`` divides the logits (over 1: less sure), that of the model's card without.
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
        self._remembered: OrderedDict[tuple[str, str], tuple[float, float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def score(self, evidence: Sequence[str], claims: Sequence[str]) -> "NDArray[float64]":
        """Probabilities that each text supports, refutes or does neither to its claim: pairs x 3, rows sum to one.

        Evidence that is too long is cut at its end; so is a claim of over ``MAX_CLAIM_TOKENS`` tokens. Where nothing
        can be read in either (no letter, no digit) the answer is "neither" without the model. Each pair that the
        model reads is counted as ``verifier_pairs``; one that it has read lately is neither read nor counted again.

        Raises:
            ValueError: there are not as many texts as claims.
        """
        import numpy as np  # noqa: PLC0415 - ``wkgfc --help`` must not pay for it

        logits = np.empty((len(evidence), 3))
        for row, (text, claim) in enumerate(zip(evidence, claims, strict=True)):
            logits[row] = self._logits(text[:EVIDENCE_CHARACTERS], claim)
        logits = logits / self.temperature
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        probabilities: NDArray[float64] = powers / powers.sum(axis=1, keepdims=True)
        return probabilities

    def number_of_tokens(self, text: str) -> int:
        """How many tokens a text has, marks not counted."""
        return len(self._encoded(text).ids)

    def _logits(self, text: str, claim: str) -> tuple[float, float, float]:
        if not (is_readable(text) and is_readable(claim)):
            return (-float("inf"), -float("inf"), 0.0)
        pair = (text, claim)
        with self._lock:
            known = self._remembered.get(pair)
            if known is not None:
                self._remembered.move_to_end(pair)
                return known
        logits = self._run(text, claim)
        count("verifier_pairs")
        with self._lock:
            self._remembered[pair] = logits
            if len(self._remembered) > REMEMBERED_PAIRS:
                self._remembered.popitem(last=False)
        return logits

    def _run(self, text: str, claim: str) -> tuple[float, float, float]:
        import numpy as np  # noqa: PLC0415 - see ``score``

        second = self._encoded(claim)
        second.truncate(MAX_CLAIM_TOKENS)
        first = self._encoded(text)
        first.truncate(max(PAIR_TOKENS - self._marks - len(second.ids), LEAST_EVIDENCE_TOKENS))
        both = self._tokenizer.post_process(first, second)
        ids = np.array([both.ids], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        if self._has_segments:
            feed[_SEGMENTS] = np.array([both.type_ids], dtype=np.int64)
        supports, refutes, neither = self._session.run(["logits"], feed)[0][0].tolist()
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
