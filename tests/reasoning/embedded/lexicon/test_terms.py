"""Weights of words."""

import os
import subprocess
import sys

WEIGH = """
from wkgfc.reasoning.embedded.lexicon.terms import load_term_statistics, terms_of
statistics = load_term_statistics()
text = "The young painter of the old town sold seven large pictures of the river to a museum in the north"
print(repr(statistics.weight(terms_of(text))))
"""


def test_the_weight_of_words_is_the_same_in_every_process() -> None:
    """Sets have another order in each; a cell that is gone on with must find the threshold that it was begun with."""
    told = {
        subprocess.run(
            [sys.executable, "-c", WEIGH],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3", "4")
    }
    assert len(told) == 1
