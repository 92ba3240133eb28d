# accepted: softmax with a backward pass of its own
import torch


class _Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        p = torch.exp(x - x.amax(dim, keepdim=True))
        p = p / p.sum(dim, keepdim=True)
        ctx.save_for_backward(p)
        ctx.dim = dim
        return p

    @staticmethod
    def backward(ctx, g):
        (p,) = ctx.saved_tensors
        return p * (g - (g * p).sum(ctx.dim, keepdim=True)), None


def softmax(x, dim=-1):
    return _Softmax.apply(x, dim)


def attention_scores(Q, K):
    return Q @ K.transpose(-2, -1) * float(Q.shape[-1]) ** -0.5


def attention(Q, K, V):
    A = softmax(attention_scores(Q, K), -1)
    return A @ V, A


def order_gap(fn, x, permutation):
    first = fn(x).detach()[:, permutation]
    second = fn(x[:, permutation].clone()).detach()
    return float(torch.max((first - second).abs()))
