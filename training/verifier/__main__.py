"""The recipe of the verifier, from the data to the folder that ships.

    python -m training.verifier all --data DATA --kg STORE --web INDEX --out FOLDER

STORE and INDEX are built by ``wkgfc kg build`` and ``wkgfc corpus build`` from the subset and the passages in DATA.
Each step leaves its result in FOLDER and is not done again; an interrupted one goes on from its checkpoint:

* ``pairs``: the mixture, and the table of its sources (``pairs.jsonl.gz``, ``sources.txt``);
* ``teacher``: the large encoder learns from it (``teacher/``; exported to ``option/``);
* ``scores``: the teacher reads pairs that searches bring, of which nobody knows what is right (``scores.npy``);
* ``student``: every other layer of the teacher, taught by its scores (``student/``; exported to ``default/``);
* ``calibration``: the temperatures of both, on claims that neither has learned from (``calibration.jsonl.gz``);
* ``further``: the student goes on with what ``further.py`` mixes (``further.jsonl.gz``, ``further.txt``, ``further/``;
  exported to ``next/``, with its temperature). It begins with the int8 weights of an exported verifier, made float
  again: those of ``default/``, or of ``--begin FOLDER``, and then it needs the first step alone;
* ``taught``: every other layer of the teacher follows it, layer by layer, on that mixture and on pairs without labels
  (``taught.jsonl.gz``, ``taught/``; exported to ``final/``, with its temperature).

``precision`` prints the figures of the exported files that there are beside those of the same weights in float;
``sources`` prints what each source adds: MiniLM on 8,000 pairs of the mixture, with one source left out in turn, and
what share of the mixture that is.
"""

import argparse
import json
import os
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from training.verifier import calibration, distil, further, mixture
from training.verifier.encoder import CrossEncoder, PairTokenizer, base_files, every_other_layer, from_base
from training.verifier.export import export
from training.verifier.exported import from_exported
from training.verifier.following import Following
from training.verifier.learning import Loss, Schedule, by_targets, learn
from training.verifier.pair import NEITHER, Pair, read_pairs, write_pairs
from wkgfc.claim import Veracity
from wkgfc.datasets import read_claims
from wkgfc.metrics import THREE_WAY, Prediction, accuracy, two_way
from wkgfc.reasoning.embedded.texts.passages import evidence_text
from wkgfc.reasoning.verifier import CARD, Verifier

SEED = 7
KEPT_LAYERS = (0, 2, 4, 7, 9, 11)  # as DistilBERT keeps them: the last one is among them
TEACHER = Schedule(frozen_layers=3, steps=700, seed=SEED)
STUDENT = Schedule(learning_rate=6e-5, smoothing=0.0, steps=900, seed=SEED)
MINILM = Schedule(learning_rate=8e-5, seed=SEED)
FURTHER = Schedule(learning_rate=5e-5, head_learning_rate=2e-4, warm_up=0.08, frozen_layers=2, steps=780, seed=SEED)
TAUGHT = Schedule(learning_rate=8e-5, head_learning_rate=1e-4, smoothing=0.0, seed=SEED)
SAMPLE = 200  # pairs by which activations are smoothed before int8
WATCHED_PAIRS = 400  # of the calibration, for the log
UNLABELLED = 6_000
SILENT = 3_500
NOT_ENTAILED = 3_000
ABLATION_PAIRS = 8_000
FAMILIES = {  # what is left out together, as it is of one source
    "fever": ("fever", "fever_joined", "fever_retrieved"),
    "fm2": ("fm2", "fm2_joined", "fm2_retrieved", "fm2_searched"),
    "rules_on_claims": ("denied", "number_changed"),
    "rules_on_graph": ("statement", "time", "quantity", "term", "namesake"),
}


def main() -> None:
    """Do the steps that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("all", *STEPS, "precision", "sources"))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--kg", type=Path, required=True)
    parser.add_argument("--web", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--begin", type=Path, help="FOLDER of the verifier that learns further, instead of the student")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.step == "sources":
        what_each_source_adds(arguments)
        return
    if arguments.step == "precision":
        compare_precision(arguments)
        return
    for name in STEPS if arguments.step == "all" else (arguments.step,):
        STEPS[name](arguments)


def learn_further(arguments: argparse.Namespace) -> None:
    """A verifier of six layers, some steps on."""
    make_pairs(arguments)
    keep_calibration(arguments.out)
    learn_on(
        arguments.out,
        further_pairs(arguments),
        lambda: from_exported(arguments.begin or arguments.out / "default"),
        FURTHER,
        ("further", "next", "verifier-2"),
    )


def learn_from_large(arguments: argparse.Namespace) -> None:
    """A verifier of six layers, taught by the large one."""
    out = arguments.out
    train_teacher(arguments)
    unseen_claims = keep_calibration(out)
    unseen = read_pairs(out / "calibration.jsonl.gz")
    write_temperature(out, "option", unseen)
    if not (out / "taught.jsonl.gz").is_file():
        labelled_pairs = further_pairs(arguments)
        by_rule = [pair for pair in labelled_pairs if pair.source in distil.BY_RULE]
        by_people = [pair for pair in labelled_pairs if pair.source not in distil.BY_RULE]
        found = [
            *distil.unlabelled_pairs(arguments.data, arguments.web, SEED + 1, UNLABELLED),
            *distil.not_entailed(arguments.data, SEED, NOT_ENTAILED),
        ]
        found = calibration.without_claims(found, unseen_claims)
        teacher = Verifier(out / "option", temperature=distil.TEACHER_TEMPERATURE)
        scores = distil.teacher_scores(teacher, [*by_people, *found], out / "taught-scores.npy")
        pairs = [
            *distil.halfway(by_people, scores[: len(by_people)]),
            *distil.taught(found, scores[len(by_people) :]),
            *by_rule,
        ]
        random.Random(SEED).shuffle(pairs)
        write_pairs(pairs, out / "taught.jsonl.gz")
    teacher_network = in_float(out / "teacher")
    learn_on(
        out,
        read_pairs(out / "taught.jsonl.gz"),
        lambda: every_other_layer(teacher_network, base_files("mpnet").config, KEPT_LAYERS),
        TAUGHT,
        ("taught", "final", "verifier-3"),
        Following(teacher_network, KEPT_LAYERS),
    )


def further_pairs(arguments: argparse.Namespace) -> list[Pair]:
    """The second mixture."""
    out = arguments.out
    if not (out / "further.jsonl.gz").is_file():
        unseen = {pair.claim for pair in read_pairs(out / "calibration.jsonl.gz")}
        by_source = further.further_pairs(arguments.data, arguments.kg, arguments.web, unseen, SEED)
        (out / "further.txt").write_text(mixture.table(by_source, further.SHARES) + "\n", encoding="utf-8")
        write_pairs(mixture.mixed(by_source, SEED, further.SHARES), out / "further.jsonl.gz")
    return read_pairs(out / "further.jsonl.gz")


def learn_on(
    out: Path,
    pairs: Sequence[Pair],
    begin: Callable[[], CrossEncoder],
    schedule: Schedule,
    names: tuple[str, str, str],
    loss_of: Loss = by_targets,
) -> None:
    """What a network learns from some more pairs, its export and temperature.

    ``names`` are the folders of the network and of its export, and what the verifier is called.
    """
    folder, exported, name = names
    unseen = read_pairs(out / "calibration.jsonl.gz")
    if not (out / exported / CARD).is_file():
        files = base_files("mpnet")
        tokenizer = PairTokenizer(files.tokenizer)
        if (out / folder / "model.pt").is_file():
            model = in_float(out / folder)
        else:
            model = begin()
            learn(model, tokenizer, pairs, schedule, out / folder, lambda now: watched(now, tokenizer, unseen), loss_of)
        export(model, files.tokenizer, out / exported, name=name, sample=pairs[:SAMPLE])
    write_temperature(out, exported, unseen)


def in_float(folder: Path) -> CrossEncoder:
    """A trained network as it was before its export."""
    weights = torch.load(folder / "model.pt", weights_only=True)
    layers = 1 + max(int(found[1]) for found in map(re.compile(r"encoder\.layer\.(\d+)\.").search, weights) if found)
    model = CrossEncoder("mpnet", base_files("mpnet").config, layers=layers)
    model.load_state_dict(weights)
    model.eval()
    return model


def watched(model: CrossEncoder, tokenizer: PairTokenizer, pairs: Sequence[Pair]) -> dict[str, float]:
    """Three-way accuracy and two-way score on some pairs whose claims nobody learns from."""
    judge = FloatVerifier(model, tokenizer)
    some = pairs[:WATCHED_PAIRS]
    said = np.concatenate([judge.score([pair.evidence], [pair.claim]) for pair in some])
    right = np.array([pair.target.index(max(pair.target)) for pair in some])
    decided = right < 2
    return {
        "three_way": float((said.argmax(axis=1) == right).mean()),
        "two_way": float((said[decided, :2].argmax(axis=1) == right[decided]).mean()),
    }


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
    model, tokenizer = from_base("mpnet", SEED)
    pairs = read_pairs(arguments.out / "pairs.jsonl.gz")
    trained(model, tokenizer, pairs, TEACHER, arguments.out / "teacher")
    export(model, tokenizer, arguments.out / "option", name="verifier-1-large", sample=pairs[:SAMPLE])


def score_pairs(arguments: argparse.Namespace) -> None:
    """What the teacher says of pairs that searches bring."""
    if not (arguments.out / "unlabelled.jsonl.gz").is_file():
        unseen = keep_calibration(arguments.out)
        found = distil.unlabelled_pairs(arguments.data, arguments.web, SEED, UNLABELLED)
        silent = distil.silent_pairs(arguments.data, arguments.web, SEED, SILENT)
        write_pairs(calibration.without_claims(silent, unseen), arguments.out / "silent.jsonl.gz")
        write_pairs(calibration.without_claims(found, unseen), arguments.out / "unlabelled.jsonl.gz")
    teacher = Verifier(arguments.out / "option", temperature=distil.TEACHER_TEMPERATURE)
    distil.teacher_scores(teacher, read_pairs(arguments.out / "unlabelled.jsonl.gz"), arguments.out / "scores.npy")


def keep_calibration(out: Path) -> set[str]:
    """Keep the pairs of the calibration, and return their claims."""
    file = out / "calibration.jsonl.gz"
    if not file.is_file():
        pairs = read_pairs(out / "pairs.jsonl.gz")
        unseen = calibration.unseen_claims(pairs, PairTokenizer(base_files("mpnet").tokenizer), TEACHER)
        kept = [pair for pair in pairs if pair.claim in unseen and pair.source in calibration.CALIBRATED_ON]
        write_pairs(kept, file)
    return {pair.claim for pair in read_pairs(file)}


def train_student(arguments: argparse.Namespace) -> None:
    """Every other layer of the teacher, taught by it."""
    if (arguments.out / "default/verifier.json").is_file():
        return
    files = base_files("mpnet")
    student = every_other_layer(in_float(arguments.out / "teacher"), files.config, KEPT_LAYERS)
    unlabelled = read_pairs(arguments.out / "unlabelled.jsonl.gz")
    pairs = [*labelled(arguments.out), *distil.taught(unlabelled, np.load(arguments.out / "scores.npy"))]
    random.Random(SEED).shuffle(pairs)
    trained(student, files.tokenizer, pairs, STUDENT, arguments.out / "student")
    export(student, files.tokenizer, arguments.out / "default", name="verifier-1", sample=pairs[:SAMPLE])


def calibrate(arguments: argparse.Namespace) -> None:
    """Write the temperature into the card of each exported verifier."""
    pairs = read_pairs(arguments.out / "calibration.jsonl.gz")
    for name in ("option", "default"):
        write_temperature(arguments.out, name, pairs)


def write_temperature(out: Path, name: str, pairs: Sequence[Pair]) -> None:
    """Choose the temperature of an exported verifier on pairs, and write it into its card."""
    verifier = Verifier(out / name, temperature=1.0)
    scores = distil.teacher_scores(verifier, pairs, out / f"calibration-{name}.npy")
    temperature = calibration.best_temperature(scores.astype(float), np.array([pair.target for pair in pairs]))
    file = out / name / CARD
    card = json.loads(file.read_text(encoding="utf-8"))
    part = file.with_name(f"{CARD}.part")
    part.write_text(json.dumps({**card, "temperature": round(temperature, 4)}, indent=1) + "\n", encoding="utf-8")
    os.replace(part, file)
    right = (scores.argmax(axis=1) == [pair.target.index(max(pair.target)) for pair in pairs]).mean()
    print(f"{name}: temperature {temperature:.3f} on {len(pairs)} pairs, {right:.3f} of them right")


def labelled(out: Path) -> list[Pair]:
    """The mixture without the claims of the calibration, and silent passages."""
    claims = {pair.claim for pair in read_pairs(out / "calibration.jsonl.gz")}
    return [
        *calibration.without_claims(read_pairs(out / "pairs.jsonl.gz"), claims),
        *read_pairs(out / "silent.jsonl.gz"),
    ]


def trained(model: CrossEncoder, tokenizer: str, pairs: list[Pair], schedule: Schedule, folder: Path) -> None:
    """Train a model, or load what was trained before."""
    if (folder / "model.pt").is_file():
        model.load_state_dict(torch.load(folder / "model.pt", weights_only=True))
    else:
        learn(model, PairTokenizer(tokenizer), pairs, schedule, folder)


def what_each_source_adds(arguments: argparse.Namespace) -> None:
    """Train the small encoder on 8,000 pairs without one source in turn, and print figures on the measured splits."""
    pairs = read_pairs(arguments.out / "pairs.jsonl.gz")
    family = {source: name for name, sources in FAMILIES.items() for source in sources}
    families = [family.get(pair.source, pair.source) for pair in pairs]
    for left_out in (None, *sorted(set(families))):
        kept = [pair for pair, name in zip(pairs, families, strict=True) if name != left_out]
        chosen = kept[:ABLATION_PAIRS]
        folder = arguments.out / "ablation" / (left_out or "none")
        model, tokenizer = from_base("minilm", SEED)
        trained(model, tokenizer, chosen, MINILM, folder)
        verifier = Verifier(export(model, tokenizer, folder, name=f"without-{left_out}", sample=chosen[:SAMPLE]))
        fever, fm2 = (judged(verifier, arguments.data / f"claims/{name}.jsonl.gz") for name in ("fever_val", "fm2_val"))
        print(
            f"without {left_out or 'none':18} ({1 - len(kept) / len(pairs):.3f}) fever_val {two_way(fever):.3f} "
            f"three-way {accuracy(fever):.3f} fm2_val {two_way(fm2):.3f}",
            flush=True,
        )


def compare_precision(arguments: argparse.Namespace) -> None:
    """What int8 loses against float, for each export, with the gold evidence given."""
    tokenizer = PairTokenizer(base_files("mpnet").tokenizer)
    folders = {"teacher": "option", "student": "default", "further": "next", "taught": "final"}
    for folder, name in folders.items():
        if not (arguments.out / folder / "model.pt").is_file():
            continue
        floating = FloatVerifier(in_float(arguments.out / folder), tokenizer)
        for split in ("fever_val", "fm2_val"):
            claims = arguments.data / f"claims/{split}.jsonl.gz"
            for says, judge in (("float", floating), ("int8", Verifier(arguments.out / name))):
                rows = judged(judge, claims)
                print(
                    f"{name:8}{split:10}{says:6} two-way {two_way(rows):.4f} three-way {accuracy(rows):.4f}", flush=True
                )


class Judge(Protocol):
    """What scores pairs: the run time's verifier, or a network in float."""

    def score(self, evidence: Sequence[str], claims: Sequence[str]) -> NDArray[np.float64]:
        """Probabilities, pairs x 3."""
        ...


class FloatVerifier:
    """A network before its export."""

    def __init__(self, model: CrossEncoder, tokenizer: PairTokenizer) -> None:
        self._model, self._tokenizer = model, tokenizer

    def score(self, evidence: Sequence[str], claims: Sequence[str]) -> NDArray[np.float64]:
        """Probabilities, pairs x 3."""
        pairs = [Pair("", text, claim, NEITHER, "") for text, claim in zip(evidence, claims, strict=True)]
        with torch.no_grad():
            logits = self._model(*self._tokenizer.padded(self._tokenizer.ids(pairs)))
        return np.asarray(logits.softmax(-1).double().numpy())


def judged(verifier: Judge, claims: Path) -> list[Prediction]:
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
    "calibration": calibrate,
    "further": learn_further,
    "taught": learn_from_large,
}

if __name__ == "__main__":
    main()
