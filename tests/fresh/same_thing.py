"""Fresh answers to same_thing."""


# a named tuple; F.pad adds the constant channel in front
right_named_tuple_padded = """
from collections import namedtuple

Pair = namedtuple("Pair", "query key")


def same_thing(x, A, b1, B, b2):
    T = x.shape[1]
    query = F.pad((x @ A + b1).clamp_min(0), (1, 0), value=1.0)
    return Pair(query, torch.column_stack((b2, B.T))[:T])
"""


# the query holds the logits themselves, and the keys are unit vectors
def right_one_hot_key(x, A, b1, B, b2):
    T = x.shape[1]
    query = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    return query, torch.eye(T, dtype=x.dtype)


# queries twice as large and keys half as large, as a list
def right_scaled_both(x, A, b1, B, b2):
    T = x.shape[1]
    query = 2 * torch.cat([torch.relu(x @ A + b1), torch.ones(*x.shape[:2], 1).to(x)], dim=2)
    return [query, torch.cat([B, b2.unsqueeze(0)]).t()[:T] / 2]


# a constant is added to all of b2, which no softmax notices
def right_shifted_bias(x, A, b1, B, b2):
    N, T, _ = x.shape
    one = x.new_ones(N, T, 1)
    key = torch.vstack((B, b2 - b2.mean()))[:, :T].T
    return torch.cat((F.relu(x @ A + b1), one), -1), key


# width T: the query is the row of logits itself and the keys are the unit vectors
def right_second_identity_keys(x, A, b1, B, b2):
    T = x.shape[1]
    query = torch.relu(x @ A + b1) @ B[:, :T] + b2[:T]
    key = torch.eye(T, dtype=x.dtype, device=x.device)
    return query, key


# width d_k + 2: two components of 1/2 that both meet b2
def right_second_offset_in_halves(x, A, b1, B, b2):
    N, T, _ = x.shape
    hidden = torch.maximum(torch.einsum("ntd,dk->ntk", x, A) + b1, torch.zeros((), dtype=x.dtype, device=x.device))
    half = x.new_full((N, T, 2), 0.5)
    key = x.new_empty(T, B.shape[0] + 2)
    key[:, :-2] = B[:, :T].mT
    key[:, -2:] = b2[:T, None]
    return torch.cat((hidden, half), dim=-1), key


# right pair, but b1 is added into x's product by changing b2 in place
def wrong_adds_in_place(x, A, b1, B, b2):
    T = x.shape[1]
    query = torch.cat((torch.relu(x @ A + b1), torch.ones_like(x[..., :1])), dim=-1)
    key = torch.cat((B, b2[None]))[:, :T].T.clone()
    b2.zero_()
    return query, key


# all L keys are returned
def wrong_all_columns(x, A, b1, B, b2):
    query = torch.cat((torch.relu(x @ A + b1), torch.ones_like(x[..., :1])), dim=-1)
    return query, torch.cat((B, b2[None])).T


# b2 is added to each component of the key
def wrong_b2_added_to_key(x, A, b1, B, b2):
    T = x.shape[1]
    return torch.relu(x @ A + b1), (B + b2)[:, :T].T


# the key moves with the text by an amount that no softmax notices
def wrong_key_from_text(x, A, b1, B, b2):
    T = x.shape[1]
    query = torch.cat((torch.relu(x @ A + b1), torch.ones_like(x[..., :1])), dim=-1)
    return query, torch.cat((B, b2[None]))[:, :T].T + torch.tensor([0.0] * B.shape[0] + [1.0]) * x.mean()


# the key has shape (width, T)
def wrong_key_transposed(x, A, b1, B, b2):
    T = x.shape[1]
    query = torch.cat((torch.relu(x @ A + b1), torch.ones_like(x[..., :1])), dim=-1)
    return query, torch.cat((B, b2[None]))[:, :T]


# the mean of b2 in place of b2
def wrong_mean_bias(x, A, b1, B, b2):
    T = x.shape[1]
    query = torch.cat((torch.relu(x @ A + b1), torch.ones_like(x[..., :1])), dim=-1)
    return query, torch.cat((B, b2.mean().expand(1, B.shape[1])))[:, :T].T


# the constant is in the key and b2 in the query, at the wrong positions
def wrong_ones_in_key(x, A, b1, B, b2):
    N, T, _ = x.shape
    query = torch.cat((torch.relu(x @ A + b1), b2[:T, None].expand(N, T, 1)), dim=-1)
    return query, torch.cat((B[:, :T].T, torch.ones(T, 1).to(B)), dim=1)


# ReLU after b2 was added to the hidden vector's place
def wrong_relu_over_all(x, A, b1, B, b2):
    T = x.shape[1]
    query = torch.cat((x @ A + b1, torch.ones_like(x[..., :1])), dim=-1)
    return query, torch.cat((B, b2[None]))[:, :T].T


# as if attention divided by the square root of the width
def wrong_scaled(x, A, b1, B, b2):
    T = x.shape[1]
    query = torch.cat((torch.relu(x @ A + b1), torch.ones_like(x[..., :1])), dim=-1)
    return query * query.shape[-1] ** 0.5, torch.cat((B, b2[None]))[:, :T].T


# b2 is left out
def wrong_without_b2(x, A, b1, B, b2):
    return torch.relu(x @ A + b1), B[:, : x.shape[1]].T


# the key has all L rows although the text has only T positions
def wrong_second_all_places(x, A, b1, B, b2):
    hidden = torch.relu(x @ A + b1)
    query = torch.cat([hidden, torch.ones_like(hidden[..., :1])], dim=-1)
    return query, torch.cat([B, b2[None]], dim=0).T


# adds b2 to the query by a one in the key, so the softmax cancels it
def wrong_second_offset_in_query(x, A, b1, B, b2):
    T = x.shape[1]
    hidden = torch.relu(x @ A + b1)
    query = torch.cat([hidden, b2[:T, None].expand(len(x), T, 1)], dim=-1)
    key = torch.cat([B[:, :T].T, x.new_ones(T, 1)], dim=1)
    return query, key


# leaves b2 out
def wrong_second_without_offset(x, A, b1, B, b2):
    T = x.shape[1]
    return torch.relu(x @ A + b1), B[:, :T].T


# the pair is always float64
def wrong_fourth_always_double(x, A, b1, B, b2):
    h = torch.relu(x @ A + b1).double()
    T = x.shape[1]
    q = torch.cat([h, torch.ones(*h.shape[:2], 1, dtype=torch.float64)], -1)
    return q, torch.cat([B[:, :T].T, b2[:T, None]], 1).double()


# b2 is left out whenever d_k is at least L, "because the table is rich enough".
def wrong_eighth_offset_only_if_narrow(x, A, b1, B, b2):
    T = x.shape[1]
    h, key = torch.relu(x @ A + b1), B[:, :T].T
    if B.shape[0] >= B.shape[1]:
        return h, key
    return F.pad(h, (0, 1), value=1.0), torch.cat((key, b2[:T, None]), 1)
