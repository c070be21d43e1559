"""Before int8: what a layer is given is divided by channel, and its weights take that up.

The file quantises the inputs of a layer by one scale for all of them, so a channel with large values (behind the
feed-forward layers' activation some are ten times the others) takes the precision from all.
Source: Xiao et al., "SmoothQuant", ICML 2023.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from training.verifier.encoder import CrossEncoder, PairTokenizer
from training.verifier.pair import Pair

SHARE = 0.5  # how much of a channel's size goes to the weights, as the paper has it
LAYERS = ("attn.q", "attn.k", "attn.v", "intermediate.dense", "output.dense")  # the one behind attention needs none
LEAST = 1e-3  # of a channel's size: a channel that is always zero stays as it is


class Smoothed(nn.Module):
    """A linear layer that gives what ``linear`` gives, its inputs divided by ``sizes`` and its weights multiplied."""

    def __init__(self, linear: nn.Linear, sizes: Tensor) -> None:
        super().__init__()
        self.linear = linear
        self.linear.weight.data = linear.weight.data * sizes
        self.register_buffer("shrink", 1 / sizes)

    def forward(self, given: Tensor) -> Tensor:
        """As ``linear`` does."""
        result: Tensor = self.linear(given * self.shrink)
        return result


def smooth(model: CrossEncoder, tokenizer: PairTokenizer, sample: Sequence[Pair]) -> None:
    """Change the layers of ``model`` but not what it says, by the sizes that their inputs have in ``sample``."""
    largest: dict[str, Tensor] = {}

    def watching(name: str) -> "torch.utils.hooks.RemovableHandle":
        def see(_: nn.Module, given: tuple[Tensor, ...]) -> None:
            sizes = given[0].abs().flatten(0, -2).amax(0)
            largest[name] = torch.maximum(largest.get(name, sizes), sizes)

        return layers[name].register_forward_pre_hook(see)

    layers = {
        name: module
        for name, module in model.body.named_modules()
        if isinstance(module, nn.Linear) and name.endswith(LAYERS)
    }
    handles = [watching(name) for name in layers]
    with torch.no_grad():
        for row in tokenizer.ids(sample):
            model.eval()(*tokenizer.padded([row]))
    for handle in handles:
        handle.remove()
    for name, linear in layers.items():
        sizes = largest[name].clamp(min=LEAST) ** SHARE
        parent, _, last = name.rpartition(".")
        setattr(model.body.get_submodule(parent), last, Smoothed(linear, sizes / sizes.mean()))
