"""The recipe of the verifier, from the data to the folder that ships.

    python -m training.verifier all --data DATA --kg STORE --web INDEX --out FOLDER

STORE and INDEX are built by ``wkgfc kg build`` and ``wkgfc corpus build`` from the subset and the passages in DATA.
Each step leaves its result in FOLDER and is not done again; an interrupted one goes on from its checkpoint:

* ``pairs``: the mixture, and the table of its sources (``pairs.jsonl.gz``, ``sources.txt``);
* ``teacher``: the large encoder learns from it (``teacher/``; exported to ``option/``);
* ``scores``: the teacher reads the mixture and as many pairs as searches bring (``scores.npy``);
* ``student``: every other layer of the teacher, taught by its scores (``student/``; exported to ``default/``).

``sources`` prints what each source adds: MiniLM on 8,000 pairs of the mixture, with one source left out in turn.
"""

import argparse
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from training.verifier import distil, mixture
from training.verifier.encoder import CrossEncoder, PairTokenizer, base_files, every_other_layer, from_base
from training.verifier.export import export
from training.verifier.learning import Schedule, learn
from training.verifier.pair import Pair, read_pairs, write_pairs
from wkgfc.claim import Veracity
from wkgfc.datasets import read_claims
from wkgfc.metrics import THREE_WAY, Prediction, accuracy, two_way
from wkgfc.reasoning.embedded.texts.passages import evidence_text
from wkgfc.reasoning.verifier import Verifier

SEED = 7
KEPT_LAYERS = (0, 2, 4, 7, 9, 11)  # as DistilBERT keeps them: the last one is among them
TEACHER = Schedule(frozen_layers=3, steps=700, seed=SEED)
STUDENT = Schedule(learning_rate=6e-5, smoothing=0.0, seed=SEED)
MINILM = Schedule(learning_rate=8e-5, seed=SEED)
UNLABELLED = 12_000
ABLATION_PAIRS = 8_000


def main() -> None:
    """Do the steps that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("all", *STEPS, "sources"))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--kg", type=Path, required=True)
    parser.add_argument("--web", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(SEED)
    if arguments.step == "sources":
        what_each_source_adds(arguments)
        return
    for name in STEPS if arguments.step == "all" else (arguments.step,):
        STEPS[name](arguments)


def make_pairs(arguments: argparse.Namespace) -> None:
    """The mixture and the table of its sources."""
    if (arguments.out / "pairs.jsonl.gz").is_file():
        return
    by_source = mixture.all_pairs(arguments.data, arguments.kg, arguments.web, SEED)
    (arguments.out / "sources.txt").write_text(mixture.table(by_source) + "\n", encoding="utf-8")
    write_pairs(mixture.mixed(by_source, SEED), arguments.out / "pairs.jsonl.gz")


def train_teacher(arguments: argparse.Namespace) -> None:
    """The large encoder, and its export."""
    if (arguments.out / "option/verifier.json").is_file():
        return
    model, tokenizer = from_base("mpnet")
    trained(model, tokenizer, read_pairs(arguments.out / "pairs.jsonl.gz"), TEACHER, arguments.out / "teacher")
    export(model, tokenizer, arguments.out / "option", name="verifier-1-large")


def score_pairs(arguments: argparse.Namespace) -> None:
    """What the teacher says of the mixture and of what searches bring."""
    if not (arguments.out / "unlabelled.jsonl.gz").is_file():
        found = distil.unlabelled_pairs(arguments.data, arguments.web, SEED, UNLABELLED)
        write_pairs(found, arguments.out / "unlabelled.jsonl.gz")
    teacher = Verifier(arguments.out / "option", temperature=distil.TEACHER_TEMPERATURE)
    distil.teacher_scores(teacher, all_of(arguments.out), arguments.out / "scores.npy")


def train_student(arguments: argparse.Namespace) -> None:
    """Every other layer of the teacher, taught by it."""
    if (arguments.out / "default/verifier.json").is_file():
        return
    files = base_files("mpnet")
    teacher = CrossEncoder("mpnet", files.config)
    teacher.load_state_dict(torch.load(arguments.out / "teacher/model.pt", weights_only=True))
    student = every_other_layer(teacher, files.config, KEPT_LAYERS)
    pairs = distil.taught(all_of(arguments.out), np.load(arguments.out / "scores.npy"))
    random.Random(SEED).shuffle(pairs)
    trained(student, files.tokenizer, pairs, STUDENT, arguments.out / "student")
    export(student, files.tokenizer, arguments.out / "default", name="verifier-1")


def all_of(out: Path) -> list[Pair]:
    """The mixture, then the pairs without labels."""
    return [*read_pairs(out / "pairs.jsonl.gz"), *read_pairs(out / "unlabelled.jsonl.gz")]


def trained(model: CrossEncoder, tokenizer: str, pairs: list[Pair], schedule: Schedule, folder: Path) -> None:
    """Train a model, or load what was trained before."""
    if (folder / "model.pt").is_file():
        model.load_state_dict(torch.load(folder / "model.pt", weights_only=True))
    else:
        learn(model, PairTokenizer(tokenizer), pairs, schedule, folder)


def what_each_source_adds(arguments: argparse.Namespace) -> None:
    """Train the small encoder on 8,000 pairs without one source in turn, and print figures on the measured splits."""
    pairs = read_pairs(arguments.out / "pairs.jsonl.gz")
    for left_out in (None, *sorted({pair.source for pair in pairs})):
        chosen = [pair for pair in pairs if pair.source != left_out][:ABLATION_PAIRS]
        folder = arguments.out / "ablation" / (left_out or "none")
        model, tokenizer = from_base("minilm")
        trained(model, tokenizer, chosen, MINILM, folder)
        verifier = Verifier(export(model, tokenizer, folder, name=f"without-{left_out}"))
        fever, fm2 = (judged(verifier, arguments.data / f"claims/{name}.jsonl.gz") for name in ("fever_val", "fm2_val"))
        print(
            f"without {left_out or 'none':18} fever_val {two_way(fever):.3f} three-way {accuracy(fever):.3f} "
            f"fm2_val {two_way(fm2):.3f}",
            flush=True,
        )


def judged(verifier: Verifier, claims: Path) -> list[Prediction]:
    """A verifier's verdicts with the gold evidence given."""
    predictions = []
    for row in read_claims(claims):
        if row.veracity is None or not row.evidence:
            continue
        text = evidence_text(row.evidence[0].title, " ".join(gold.text for gold in row.evidence))
        said: dict[Veracity, float] = dict(zip(THREE_WAY, verifier.score([text], [row.claim])[0].tolist(), strict=True))
        predictions.append(Prediction(row.veracity, max(said, key=said.__getitem__), said))
    return predictions


STEPS: dict[str, Callable[[argparse.Namespace], None]] = {
    "pairs": make_pairs,
    "teacher": train_teacher,
    "scores": score_pairs,
    "student": train_student,
}

if __name__ == "__main__":
    main()
