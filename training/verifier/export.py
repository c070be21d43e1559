"""From a trained network to the folder that the run time opens: ONNX, int8, tokenizer, card."""

import copy
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from training.verifier.encoder import CrossEncoder, PairTokenizer, segments_of
from training.verifier.pair import Pair
from training.verifier.smoothing import smooth
from wkgfc.reasoning.verifier import CARD, MODEL, TOKENIZER


class _WithSegments(nn.Module):
    """A BERT with its segments as an input, as the run time feeds them."""

    def __init__(self, model: CrossEncoder) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        logits: Tensor = self.model(input_ids, attention_mask, token_type_ids)
        return logits


def export(
    model: CrossEncoder, tokenizer: str, folder: Path, *, name: str, sample: Sequence[Pair], temperature: float = 1.0
) -> Path:
    """Write the three files of a verifier into ``folder`` and return it.

    Weights are quantised to int8 by channel, the word embeddings too; activations are quantised as they come, after
    they have been smoothed by what they are in ``sample``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    model = copy.deepcopy(model).eval().float()
    smooth(model, PairTokenizer(tokenizer), sample)
    ids = torch.tensor([[0, 10, 11, 2, 2, 12, 13, 2], [0, 10, 2, 2, 12, 2, 1, 1]])
    mask = (ids != 1).long()
    inputs: tuple[Tensor, ...] = (ids, mask)
    names = ["input_ids", "attention_mask"]
    network: nn.Module = model
    if model.base == "minilm":
        inputs, names, network = (*inputs, segments_of(ids)), [*names, "token_type_ids"], _WithSegments(model)
    axes = {each: {0: "pairs", 1: "tokens"} for each in names}
    with tempfile.TemporaryDirectory() as place:
        whole = Path(place) / "model.onnx"
        torch.onnx.export(
            network,
            inputs,
            str(whole),
            input_names=names,
            output_names=["logits"],
            dynamic_axes={**axes, "logits": {0: "pairs"}},
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(
            whole,
            folder / MODEL,
            op_types_to_quantize=["MatMul", "Gemm", "Gather"],
            per_channel=True,
            weight_type=QuantType.QInt8,
        )
    (folder / TOKENIZER).write_text(tokenizer, encoding="utf-8")
    card = {
        "format": 1,
        "name": name,
        "temperature": round(temperature, 4),
        "model_bytes": (folder / MODEL).stat().st_size,
    }
    part = folder / f"{CARD}.part"
    part.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    os.replace(part, folder / CARD)
    return folder
