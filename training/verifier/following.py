"""A shallow network that learns to say in each layer what a deep one says there, and then what is right.

Sources: Romero et al., "FitNets", ICLR 2015; Jiao et al., "TinyBERT", Findings of EMNLP 2020.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from training.verifier.encoder import CrossEncoder
from training.verifier.learning import cross_entropy


class Following:
    """The loss of a network whose layers follow those layers ``followed`` (from 0) of a trained ``teacher``.

    Beside the targets counts, by ``weight``, the mean over the layers of the share of the teacher's variance that is
    missed, over all tokens.
    """

    def __init__(self, teacher: CrossEncoder, followed: Sequence[int], weight: float = 1.0) -> None:
        self._teacher, self._followed, self._weight = teacher.eval(), followed, weight

    def __call__(self, model: CrossEncoder, ids: Tensor, mask: Tensor, targets: Tensor) -> Tensor:
        """See ``Loss``."""
        with torch.no_grad():
            theirs = self._teacher.states(ids, mask)
        own = model.states(ids, mask)
        missed = [
            missed_share(said, theirs[layer + 1], mask) for said, layer in zip(own[1:], self._followed, strict=True)
        ]
        return (
            cross_entropy(model.logits_of(own[-1], mask).float(), targets) + self._weight * torch.stack(missed).mean()
        )


def missed_share(said: Tensor, told: Tensor, mask: Tensor) -> Tensor:
    """The squared difference of two states as a share of the variance of the second, over the tokens of the mask."""
    is_there = mask.bool()
    own, their = said[is_there].float(), told[is_there].float()
    return ((own - their) ** 2).sum() / ((their - their.mean(0)) ** 2).sum()
