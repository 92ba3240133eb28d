import torch, math

def causal_mask(n_queries, n_keys=None, device=None):
	# same as in the transformer video: tril
	if n_keys is None:
		n_keys = n_queries
	mask = torch.tril(torch.ones(n_queries, n_keys, device=device), diagonal=n_keys - n_queries)
	return mask.bool()

def padding_mask(lengths, n_keys):
	ar = torch.arange(n_keys, device=lengths.device)
	return (ar >= lengths[:, None]).unsqueeze(-2)

def masked_softmax(scores, mask=None):
	if mask is None:
		return torch.softmax(scores, dim=-1)
	filled = scores.masked_fill(mask, float('-inf'))
	p = torch.softmax(filled, dim=-1)
	p = p.masked_fill(mask, 0.)
	return p

def masked_attention(Q, K, V, mask=None):
	s = Q.matmul(K.transpose(-2, -1)).div(math.sqrt(Q.size(-1)))
	p = masked_softmax(s, mask)
	return p.matmul(V), p

def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
	T = x.size(1)
	m = torch.zeros(T, T, device=x.device).bool()
	if causal: m = causal_mask(T, device=x.device)
	if lengths is not None: m = m | padding_mask(lengths, T)
	return masked_attention(x @ W_Q, x @ W_K, x @ W_V, m)
