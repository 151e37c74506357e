"""Fresh answers to attention_scores."""


# No matrix product: broadcasting and a sum.
def right_broadcast_and_sum(q, k):
    return (q[..., :, None, :] * k[..., None, :, :]).sum(-1).div(math.sqrt(k.shape[-1]))


# All leading axes in one, then bmm.
def right_flattened_bmm(q, k):
    *front, n_q, d = q.shape
    n_k = k.shape[-2]
    a, b = q.reshape(-1, n_q, d), k.reshape(-1, n_k, d)
    return torch.bmm(a, b.transpose(1, 2)).reshape(*front, n_q, n_k) * d**-0.5


# In float64 on the way, then back to the dtype of q.
def right_float64_on_the_way(q, k):
    return (q.double() @ k.double().transpose(-1, -2) / math.sqrt(q.shape[-1])).to(q.dtype)


# Both factors are divided by the fourth root.
def right_fourth_roots(q, k):
    root = q.shape[-1] ** 0.25
    return (q / root) @ (k / root).transpose(-1, -2)


# One key at a time, with stack on the last axis.
right_loop_over_keys = """
def attention_scores(q, k):
    d_k = q.shape[-1]
    columns = []
    for i in range(k.shape[-2]):
        columns.append((q * k[..., i : i + 1, :]).sum(dim=-1))
    return torch.stack(columns, dim=-1) / np.sqrt(d_k)


import numpy as np
"""


# The root is a float32 tensor, from torch.sqrt.
def right_root_of_a_tensor(q, k):
    return torch.matmul(q, k.transpose(-2, -1)) / torch.sqrt(torch.tensor(q.size(-1)))


# The inverse root, computed in float32.
def right_rsqrt(q, k):
    return q @ k.mT * torch.rsqrt(torch.tensor(float(q.shape[-1])))


# k qᵀ, transposed: the result is not contiguous.
def right_transpose_of_the_reverse(q, k):
    return (k @ q.swapaxes(-1, -2) / q.shape[-1] ** 0.5).swapaxes(-1, -2)


# every query beside every key, multiplied and summed
def right_second_broadcast_and_sum(q, k):
    width = q.size(-1)
    products = q.unsqueeze(-2) * k.unsqueeze(-3)
    return products.sum(dim=-1) * width**-0.5


# half of the scaling on each side, then einsum
def right_second_einsum_fourth_roots(q, k):
    root = q.shape[-1] ** 0.25
    return torch.einsum("...td,...id->...ti", q / root, k / root)


# Axes 1 and 2 are exchanged whatever the number of axes.
def wrong_axes_one_and_two(q, k):
    return torch.matmul(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])


# The width is read from axis 1.
def wrong_axis_one(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[1])


# The root of the first call is kept.
wrong_cached_root = """
ROOT = []


def attention_scores(q, k):
    if not ROOT:
        ROOT.append(math.sqrt(q.shape[-1]))
    return q @ k.transpose(-2, -1) / ROOT[0]
"""


# k.T turns all axes round.
def wrong_capital_t(q, k):
    return q @ k.T / math.sqrt(q.shape[-1])


# Scores are clamped to keep the softmax safe.
def wrong_clamped(q, k):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).clamp(-5, 5)


# Vectors are normalised to length 1 first.
def wrong_cosine(q, k):
    return F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1) / math.sqrt(q.shape[-1])


# Every batch row uses the keys of row 0.
def wrong_first_of_the_batch(q, k):
    if k.dim() > 2:
        k = k[:1]
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


# einsum with exactly four axes.
def wrong_four_axes_only(q, k):
    return torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.shape[-1])


# k is transposed in place.
def wrong_key_in_place(q, k):
    k.transpose_(-2, -1)
    return q @ k / math.sqrt(q.shape[-1])


# d ** 1 / 2 is half of d.
def wrong_precedence(q, k):
    d = q.shape[-1]
    return q @ k.transpose(-2, -1) / d ** 1 / 2


# q is divided in place.
def wrong_query_in_place(q, k):
    q /= math.sqrt(q.shape[-1])
    return q @ k.transpose(-2, -1)


# The weights instead of the scores.
def wrong_softmax(q, k):
    return F.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)


# Computed with numpy and turned back into a tensor.
def wrong_through_numpy(q, k):
    import numpy as np

    found = np.einsum("...qd,...kd->...qk", q.numpy(), k.numpy()) / np.sqrt(q.shape[-1])
    return torch.from_numpy(found)


# The root is rounded down to a whole number.
def wrong_whole_root(q, k):
    return q @ k.transpose(-2, -1) / math.isqrt(q.shape[-1])


# exchanges axes 1 and 2: right for exactly one leading axis only
def wrong_second_fixed_axes(q, k):
    return q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])


# the root of the number of keys instead of their width
def wrong_second_number_of_keys(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(k.shape[-2])


# divides the caller's queries in place
def wrong_second_scales_in_place(q, k):
    q /= math.sqrt(q.shape[-1])
    return q @ k.transpose(-2, -1)


# a squeeze: one query or one key loses an axis
def wrong_squeeze(q, k):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).squeeze()


# Scores are cut at 10,000.
def wrong_fourth_cut(q, k):
    return (q @ k.mT / math.sqrt(q.shape[-1])).clamp(-1e4, 1e4)


# A small number is added to the root.
def wrong_fourth_root_with_epsilon(q, k):
    return q @ k.mT / (math.sqrt(q.shape[-1]) + 1e-6)


# A score that is exactly 0 is taken for padding and becomes minus infinity: orthogonal vectors.
def wrong_seventh_zero_is_mask(q, k):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.masked_fill(s == 0, -math.inf)
