# accepted: masks built by a small dataclass, operator overloading; -1e9 with the row zeroed by a product
import math
from dataclasses import dataclass
import torch


@dataclass(frozen=True)
class Mask:
    hidden: torch.Tensor

    def __or__(self, other):
        return self if other is None else Mask(self.hidden | other.hidden)

    __ror__ = __or__

    @classmethod
    def causal(cls, q, k, device):
        i, j = torch.arange(q, device=device), torch.arange(k, device=device)
        return cls(j > (i + k - q)[:, None])

    @classmethod
    def padding(cls, lengths, k):
        return cls(torch.arange(k, device=lengths.device)[None, None] >= lengths[:, None, None])


def causal_mask(n_queries, n_keys=None, device=None):
    return Mask.causal(n_queries, n_queries if n_keys is None else n_keys, device).hidden


def padding_mask(lengths, n_keys):
    return Mask.padding(lengths, n_keys).hidden


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, -1)
    keep = (~mask).to(scores.dtype)
    return torch.softmax(scores * keep - 1e9 * (1 - keep), -1) * keep


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-1, -2) * (1 / math.sqrt(K.shape[-1])), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    mask = None
    if causal:
        mask = Mask.causal(x.shape[1], x.shape[1], x.device)
    if lengths is not None:
        mask = Mask.padding(lengths, x.shape[1]) | mask
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask and mask.hidden)
