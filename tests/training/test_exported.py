"""An exported file as a network again, and a network before and after int8. Needs ``pip install '.[training]'``."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="pip install '.[training]'")
pytest.importorskip("transformers", reason="pip install '.[training]'")

from training.verifier.encoder import CrossEncoder, PairTokenizer, base_files  # noqa: E402 - torch may be missing
from training.verifier.exported import from_exported  # noqa: E402 - torch may be missing
from training.verifier.pair import NEITHER, Pair  # noqa: E402 - torch may be missing
from training.verifier.smoothing import smooth  # noqa: E402 - torch may be missing
from wkgfc.reasoning.verifier import EMBEDDED, Verifier  # noqa: E402 - torch may be missing

PAIRS = [
    Pair("Paris", "Paris is the capital of France.", "Paris is in France.", NEITHER, ""),
    Pair("Paris", "Paris is the capital of France.", "Paris is in Peru.", NEITHER, ""),
    Pair("", "The tower was finished in 1889, two years after work began.", "Work began in 1887.", NEITHER, ""),
    Pair("Oldham", "Oldham is a town in England.", "The mayor of Oldham is a dentist.", NEITHER, ""),
]


@pytest.fixture(scope="module")
def tokenizer() -> PairTokenizer:
    try:
        return PairTokenizer(base_files("mpnet").tokenizer)
    except SystemExit as missing:
        pytest.skip(str(missing))


def probabilities(model: CrossEncoder, tokenizer: PairTokenizer) -> np.ndarray:
    with torch.no_grad():
        return np.concatenate([
            model.eval()(*tokenizer.padded(tokenizer.ids([pair]))).softmax(-1).numpy() for pair in PAIRS
        ])  # fmt: skip


def test_the_network_says_what_the_file_says_but_for_the_noise_of_int8(tokenizer: PairTokenizer) -> None:
    verifier = Verifier(EMBEDDED, temperature=1.0)
    said = verifier.score([pair.evidence for pair in PAIRS], [pair.claim for pair in PAIRS])

    again = probabilities(from_exported(EMBEDDED), tokenizer)

    assert np.abs(said - again).mean() < 0.03
    assert (said.argmax(axis=1) == again.argmax(axis=1)).all()


def test_smoothing_changes_nothing_that_the_network_says(tokenizer: PairTokenizer) -> None:
    model = from_exported(EMBEDDED)
    before = probabilities(model, tokenizer)

    smooth(model, tokenizer, PAIRS)

    assert np.abs(probabilities(model, tokenizer) - before).max() < 1e-4
