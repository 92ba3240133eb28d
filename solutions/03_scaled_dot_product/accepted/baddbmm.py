# accepted: baddbmm on flattened leading axes
import torch


def softmax(x, dim=-1):
    m, _ = torch.max(x, dim=dim, keepdim=True)
    ex = torch.exp(x - m)
    return ex / torch.sum(ex, dim=dim, keepdim=True)


def attention_scores(Q, K):
    lead, n_q, d = Q.shape[:-2], Q.shape[-2], Q.shape[-1]
    n_k = K.shape[-2]
    batch = 1
    for size in lead:
        batch *= size
    q = Q.reshape(batch, n_q, d)
    k = K.reshape(batch, n_k, d)
    bias = torch.zeros(batch, n_q, n_k, dtype=Q.dtype, device=Q.device)
    scores = torch.baddbmm(bias, q, k.transpose(1, 2), beta=0.0, alpha=d ** -0.5)
    return scores.view(*lead, n_q, n_k)


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K), dim=-1)
    batch_weights = weights.reshape(-1, *weights.shape[-2:]) if weights.numel() else weights
    batch_values = V.reshape(-1, *V.shape[-2:]) if weights.numel() else V
    output = torch.bmm(batch_weights, batch_values)
    return output.reshape(*Q.shape[:-1], V.shape[-1]), weights


def order_gap(fn, x, permutation):
    inverse = torch.argsort(permutation)
    back = fn(x[:, permutation])[:, inverse]
    return (back - fn(x)).abs().max().item()
