"""The verifier: a small model that says how far a text supports or contradicts a claim.

It is a cross-encoder with three classes, run by onnxruntime from a folder of two files: ``model-int8.onnx`` (inputs
``input_ids``, ``attention_mask``, ``token_type_ids``; output ``logits``, pairs x 3: supports, refutes, neither) and
``tokenizer.json``. The first segment is the evidence, written "Title: text", the second the claim.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wkgfc.errors import NotConfigured
from wkgfc.usage import count

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

EMBEDDED = Path(__file__).parent / "embedded" / "verifier"
MODEL = "model-int8.onnx"
TOKENIZER = "tokenizer.json"

PAIR_TOKENS = 160  # evidence, claim and three marks together, as the model was trained
LEAST_EVIDENCE_TOKENS = 64  # what a long claim leaves to the evidence; the pair then exceeds PAIR_TOKENS
MAX_CLAIM_TOKENS = 256  # the model knows 512 positions
EVIDENCE_CHARACTERS = 4_000  # more than 160 tokens of any text but long runs of white space or of one word
REMEMBERED_PAIRS = 4_096  # judgements of one check ask again for the same pairs; 24 bytes of scores each

_INPUTS = {"input_ids", "attention_mask", "token_type_ids"}
_MARKS = ("[CLS]", "[SEP]")


class Verifier:
    """A loaded verifier. It may be used by several threads at once.

    Pairs are run one by one. The model's activations are quantised by the range that they have in a batch, so in a
    batch the score of a pair depends on its company (by 0.007 in the mean and by up to 0.3, over 304 pairs of FEVER
    in batches of 4 to 32); and with one thread a pair alone is no slower, as nothing is padded. ``threads`` are those
    of one run; ``temperature`` divides the logits (over 1: less sure).
    """

    def __init__(self, folder: Path = EMBEDDED, *, threads: int = 1, temperature: float = 1.0) -> None:
        if temperature <= 0:
            raise ValueError("a temperature is over zero")
        self.folder = folder
        self.temperature = temperature
        self._session, self._tokenizer = _open(folder, threads)
        self._start, self._separator = (self._tokenizer.token_to_id(mark) for mark in _MARKS)
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

    def _logits(self, text: str, claim: str) -> tuple[float, float, float]:
        if not (_is_readable(text) and _is_readable(claim)):
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

        claim_ids = self._tokens(claim)[:MAX_CLAIM_TOKENS]
        room = max(PAIR_TOKENS - 3 - len(claim_ids), LEAST_EVIDENCE_TOKENS)
        text_ids = self._tokens(text)[:room]
        first = [self._start, *text_ids, self._separator]
        second = [*claim_ids, self._separator]
        ids = np.array([first + second], dtype=np.int64)
        segments = np.array([[0] * len(first) + [1] * len(second)], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": segments}
        supports, refutes, neither = self._session.run(["logits"], feed)[0][0].tolist()
        return (supports, refutes, neither)

    def _tokens(self, text: str) -> list[int]:
        whole = text.encode("utf-8", "replace").decode("utf-8")  # half of a surrogate pair is no text to the tokenizer
        ids: list[int] = self._tokenizer.encode(whole, add_special_tokens=False).ids
        return ids


@lru_cache(maxsize=4)
def load_verifier(folder: Path | None = None, *, threads: int = 1, temperature: float = 1.0) -> Verifier:
    """The verifier in ``folder`` (the embedded one without), loaded once a process.

    Raises:
        NotConfigured: a file of it is missing or damaged, or holds another kind of model.
    """
    return Verifier(folder or EMBEDDED, threads=threads, temperature=temperature)


def _is_readable(text: str) -> bool:
    return any(map(str.isalnum, text))


def _open(folder: Path, threads: int) -> tuple[Any, Any]:
    """The session and the tokenizer, each known to be what this module needs."""
    try:
        import onnxruntime  # noqa: PLC0415 - half a second that ``wkgfc --help`` must not pay
        from tokenizers import Tokenizer  # noqa: PLC0415 - see above
    except ImportError as error:
        raise NotConfigured(f"the verifier needs {error.name}: pip install onnxruntime tokenizers") from error
    for name in (MODEL, TOKENIZER):
        if not (folder / name).is_file():
            raise NotConfigured(f"there is no verifier in {folder}: {name} is missing")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting threads leave the cores alone
    options.log_severity_level = 4  # what is wrong is raised, and said once
    damaged = f"the verifier in {folder} cannot be read"
    try:
        session = onnxruntime.InferenceSession(folder / MODEL, options, providers=["CPUExecutionProvider"])
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    except Exception as error:  # both libraries raise bare exceptions of their own
        raise NotConfigured(f"{damaged} ({_first_line(error)}): put the files there again") from error
    outputs = {output.name: output.shape for output in session.get_outputs()}
    if {given.name for given in session.get_inputs()} != _INPUTS or outputs.get("logits", [None])[-1] != 3:
        raise NotConfigured(f"the model in {folder} is no verifier: it needs three inputs of tokens and three logits")
    if any(tokenizer.token_to_id(mark) is None for mark in _MARKS):
        raise NotConfigured(f"{damaged} (its tokenizer lacks {' and '.join(_MARKS)}): put the files there again")
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return session, tokenizer


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines()
    return lines[0][:160] if lines else type(error).__name__
