# may lose: test_every_query_meets_every_key, test_wider_vectors_are_scaled_down_more, test_scores_with_any_leading_axes, test_scores_are_right_when_sizes_coincide, test_one_token_and_one_feature_work, test_views_of_other_tensors_are_scored_alike, test_the_gradients_of_the_scores_are_right, test_values_are_mixed_by_their_weights, test_attention_with_any_leading_axes, test_very_large_similarities_pick_one_value, test_gradients_reach_queries_keys_and_values, test_attention_is_right_when_sizes_coincide
import math

import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return torch.bmm(Q, K.permute(0, 2, 1)) / math.sqrt(Q.shape[2])


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return torch.bmm(weights, V), weights


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
