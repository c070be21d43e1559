"""From an exported file back to a network that can learn on: the int8 weights times their scales."""

import re
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper

from training.verifier.encoder import CrossEncoder, base_files
from wkgfc.reasoning.verifier import MODEL

_PRODUCT = re.compile(r"^/(body/encoder/layer\.\d+/.+?|head)(?:/linear)?/(?:Gemm_)?MatMul_quant$")


def from_exported(folder: Path) -> CrossEncoder:
    """The network of an exported mpnet verifier, in float.

    Its outputs are those of the file but for the noise of the activations, which the file quantises too.

    Raises:
        ValueError: the file holds another network.
    """
    graph = onnx.load(folder / MODEL).graph
    arrays = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    arrays |= {
        node.output[0]: arrays[node.input[0]]  # equal arrays are kept once
        for node in graph.node
        if node.op_type == "Identity" and node.input[0] in arrays
    }
    weights = {
        name.replace(".linear.", "."): array for name, array in arrays.items() if name.startswith(("body.", "head."))
    }
    for name in arrays:
        if name.endswith(".weight_quantized"):  # embeddings, rows x width
            weights[name.removesuffix("_quantized")] = _in_float(arrays, name.removesuffix("_quantized"))
    for node in graph.node:
        found = _PRODUCT.match(node.name)
        if found and node.op_type == "MatMulInteger":  # inputs x outputs, one scale an output
            layer = found.group(1).replace("/", ".")
            whole = _in_float(arrays, node.input[1].removesuffix("_quantized")).T
            weights[f"{layer}.weight"] = whole * arrays.get(f"{layer}.shrink", np.float32(1))  # see smoothing.py
    layers = len({name.split(".")[3] for name in weights if name.startswith("body.encoder.layer.")})
    model = CrossEncoder("mpnet", base_files("mpnet").config, layers=layers)
    wanted = model.state_dict()
    missing = sorted(name for name in wanted if name not in weights and not name.endswith("position_ids"))
    if missing:
        raise ValueError(f"{folder / MODEL} is no mpnet verifier: {missing[0]} is missing")
    state = {name: torch.from_numpy(np.array(weights[name], dtype=np.float32)) for name in wanted if name in weights}
    model.load_state_dict(state, strict=False)
    return model


def _in_float(arrays: dict[str, NDArray[np.generic]], name: str) -> NDArray[np.float32]:
    """A quantised array times its scale, by its last axis or as a whole."""
    whole = arrays[f"{name}_quantized"].astype(np.float32) - arrays[f"{name}_zero_point"].astype(np.float32)
    result: NDArray[np.float32] = whole * arrays[f"{name}_scale"].astype(np.float32)
    return result
