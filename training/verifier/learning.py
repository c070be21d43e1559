"""The loop: pairs in batches of like length, bfloat16 on the CPU, checkpoints from which it goes on."""

import json
import math
import os
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor

from training.verifier.encoder import CrossEncoder, PairTokenizer
from training.verifier.pair import Pair

POOL = 16  # batches that are sorted by length together
WATCHED = 250  # steps between two looks at pairs that are not learned from


Loss = Callable[[CrossEncoder, Tensor, Tensor, Tensor], Tensor]  # of a network, ids, mask and targets


@dataclass(frozen=True)
class Schedule:
    """How to learn. ``smoothing`` is what each target gives to the even distribution; ``frozen_layers`` counts from the
    embeddings, which are never changed; ``steps`` ends the learning early, and the rate falls to zero there."""

    learning_rate: float = 4e-5
    head_learning_rate: float = 5e-4
    warm_up: float = 0.06
    batch: int = 32
    epochs: int = 1
    smoothing: float = 0.05
    frozen_layers: int = 0
    weight_decay: float = 0.01
    steps: int | None = None
    seed: int = 7
    checkpoint_s: float = 300.0


def by_targets(model: CrossEncoder, ids: Tensor, mask: Tensor, targets: Tensor) -> Tensor:
    """How far the network is from the targets."""
    return cross_entropy(model(ids, mask).float(), targets)


def learn(
    model: CrossEncoder,
    tokenizer: PairTokenizer,
    pairs: Sequence[Pair],
    schedule: Schedule,
    folder: Path,
    watch: Callable[[CrossEncoder], Mapping[str, float]] | None = None,
    loss_of: Loss = by_targets,
) -> CrossEncoder:
    """Train ``model`` on ``pairs``; log one JSON line a few steps to ``folder/log.jsonl``.

    ``watch`` measures the network as it stands, every ``WATCHED`` steps and at both ends, for the log alone.

    Where ``folder`` has a checkpoint of the same schedule, learning goes on from it: the order of the batches and what
    is dropped hang on the seed and the step alone. Written atomically, so that an interruption loses ``checkpoint_s``
    seconds at most.
    """
    folder.mkdir(parents=True, exist_ok=True)
    freeze(model, schedule.frozen_layers)
    rows = tokenizer.ids(pairs)
    targets = torch.tensor([pair.target for pair in pairs])
    targets = targets * (1 - schedule.smoothing) + schedule.smoothing / 3
    batches = batches_of([len(row) for row in rows], schedule)[: schedule.steps]
    optimizer = _optimizer(model, schedule)
    rates = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step, len(batches), schedule.warm_up))
    first = _resume(folder, schedule, len(pairs), model, optimizer, rates)
    in_halves = torch.cpu.get_capabilities().get("avx512_bf16", False)  # elsewhere it is slower than float by far
    saved, seen, since = time.monotonic(), 0, time.monotonic()
    losses: list[float] = []
    for step in range(first, len(batches)):
        if watch and step % WATCHED == 0:
            _log(folder, {"step": step, **watch(model.eval())})
        model.train()
        torch.manual_seed(1_000_003 * schedule.seed + step)  # what the head drops, whenever the learning goes on
        chosen = batches[step]
        ids, mask = tokenizer.padded([rows[index] for index in chosen])
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=in_halves):
            loss = loss_of(model, ids, mask, targets[chosen])
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        rates.step()
        optimizer.zero_grad(set_to_none=True)
        losses.append(loss.item())
        seen += len(chosen)
        if step % 20 == 19 or step == len(batches) - 1:
            speed = seen / (time.monotonic() - since)
            entry = {
                "step": step + 1,
                "of": len(batches),
                "loss": sum(losses[-50:]) / len(losses[-50:]),
                "pairs_s": speed,
            }
            _log(folder, entry)
        if time.monotonic() - saved > schedule.checkpoint_s:
            _save(folder, schedule, len(pairs), step + 1, model, optimizer, rates)
            saved = time.monotonic()
    if watch:
        _log(folder, {"step": len(batches), **watch(model.eval())})
    torch.save(model.state_dict(), folder / "model.pt.part")
    os.replace(folder / "model.pt.part", folder / "model.pt")
    (folder / "checkpoint.pt").unlink(missing_ok=True)
    model.eval()
    return model


def _log(folder: Path, entry: Mapping[str, float]) -> None:
    with (folder / "log.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps({key: round(value, 3) for key, value in entry.items()}) + "\n")


def cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """Mean cross-entropy of logits against probabilities."""
    return -(targets * logits.log_softmax(-1)).sum(-1).mean()


def freeze(model: CrossEncoder, layers: int) -> None:
    """Keep the embeddings and the first ``layers`` layers as they are."""
    for name, parameter in model.body.named_parameters():
        number = name.partition("encoder.layer.")[2].partition(".")[0]
        if name.startswith("embeddings.") or (number and int(number) < layers):
            parameter.requires_grad = False
    for module in model.body.modules():  # one or two epochs need none, and it takes a tenth of the time
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0


def batches_of(lengths: Sequence[int], schedule: Schedule) -> list[list[int]]:
    """Indices of each batch, in the order of learning: pools drawn by chance, sorted by length inside."""
    rng = random.Random(schedule.seed)
    batches: list[list[int]] = []
    for _ in range(schedule.epochs):
        order = list(range(len(lengths)))
        rng.shuffle(order)
        size = schedule.batch * POOL
        for start in range(0, len(order), size):
            pool = sorted(order[start : start + size], key=lengths.__getitem__)
            cut = [pool[at : at + schedule.batch] for at in range(0, len(pool), schedule.batch)]
            rng.shuffle(cut)
            batches.extend(cut)
    return batches


def _rate(step: int, steps: int, warm_up: float) -> float:
    warm = max(1, math.ceil(steps * warm_up))
    return (step + 1) / warm if step < warm else max(0.0, (steps - step) / max(1, steps - warm))


def _optimizer(model: CrossEncoder, schedule: Schedule) -> torch.optim.Optimizer:
    body = [(name, weight) for name, weight in model.body.named_parameters() if weight.requires_grad]
    return torch.optim.AdamW(
        [
            {"params": [weight for _, weight in body if weight.ndim > 1], "weight_decay": schedule.weight_decay},
            {"params": [weight for _, weight in body if weight.ndim == 1], "weight_decay": 0.0},
            {"params": list(model.head.parameters()), "lr": schedule.head_learning_rate, "weight_decay": 0.0},
        ],
        lr=schedule.learning_rate,
        fused=True,
    )


def _save(folder: Path, schedule: Schedule, pairs: int, step: int, *parts: object) -> None:
    state = [part.state_dict() for part in parts]  # type: ignore[attr-defined]
    torch.save({"of": [asdict(schedule), pairs], "step": step, "state": state}, folder / "checkpoint.pt.part")
    os.replace(folder / "checkpoint.pt.part", folder / "checkpoint.pt")


def _resume(folder: Path, schedule: Schedule, pairs: int, *parts: object) -> int:
    file = folder / "checkpoint.pt"
    if not file.is_file():
        return 0
    known = torch.load(file, weights_only=True)
    if known["of"] != [asdict(schedule), pairs]:
        raise SystemExit(f"{file} is of another schedule: remove it to begin anew")
    for part, state in zip(parts, known["state"], strict=True):
        part.load_state_dict(state)  # type: ignore[attr-defined]
    return int(known["step"])
