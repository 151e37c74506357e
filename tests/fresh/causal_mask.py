"""Fresh answers to causal_mask."""


# A running sum over the identity.
def right_cumsum(T):
    return torch.eye(T).flip(1).cumsum(1).flip(1) > 0


# A grid of positions, compared.
def right_grid(T):
    query, key = torch.meshgrid(torch.arange(T), torch.arange(T), indexing="ij")
    return query.ge(key)


# Set by the indices of a triangle.
def right_indices(T):
    mask = torch.full((T, T), False)
    row, column = torch.tril_indices(T, T)
    mask[row, column] = True
    return mask


# A list of lists.
def right_nested_lists(T):
    return torch.tensor([[i <= t for i in range(T)] for t in range(T)])


# numpy's triangle, turned into a tensor.
def right_numpy_tri(T):
    import numpy as np

    return torch.from_numpy(np.tri(T, dtype=bool))


# Cut out of a larger mask: strides of the larger one.
def right_part_of_a_larger(T):
    return torch.ones(2 * T, 2 * T, dtype=torch.bool).tril()[T:, T:]


# Built from the mask that is one smaller.
def right_recursion(T):
    if T == 1:
        return torch.tensor([[True]])
    mask = torch.zeros(T, T, dtype=torch.bool)
    mask[:-1, :-1] = causal_mask(T - 1)
    mask[-1] = True
    return mask


# torch's own mask of 0 and minus infinity, compared with 0.
def right_square_subsequent(T):
    return torch.nn.Transformer.generate_square_subsequent_mask(T) == 0


# An upper triangle, transposed: not contiguous.
def right_transposed_view(T):
    return torch.ones(T, T).triu().bool().T


# running sums of the identity matrix down the rows
def right_second_cumulative_identity(T):
    return torch.eye(T).cumsum(dim=0) > 0


# a nested list of Python bools
def right_second_nested_lists(T: int) -> torch.Tensor:
    """True where position t may attend to position i."""
    rows = [[i <= t for i in range(T)] for t in range(T)]
    return torch.tensor(rows, dtype=torch.bool)


# 0 and minus infinity.
def wrong_additive(T):
    return torch.triu(torch.full((T, T), -math.inf), 1)


# A buffer of 256 positions.
wrong_buffer = """
MASK = torch.tril(torch.ones(256, 256)).bool()


def causal_mask(T):
    return MASK[:T, :T]
"""


# No position may attend to itself.
def wrong_diagonal_missing(T):
    return torch.ones(T, T, dtype=torch.bool).tril(-1)


# True where attention is forbidden.
def wrong_forbidden(T):
    return torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)


# Shape (1, 1, T, T), as in minGPT.
def wrong_four_axes(T):
    return torch.tril(torch.ones(T, T)).view(1, 1, T, T).bool()


# The range ends one too early.
def wrong_last_row_missing(T):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T - 1):
        mask[t, : t + 1] = True
    return mask


# A list of lists.
def wrong_lists(T):
    return [[i <= t for i in range(T)] for t in range(T)]


# The next position is allowed too.
def wrong_one_ahead(T):
    return torch.ones(T, T, dtype=torch.bool).tril(1)


# The mask of the first call is kept and cut.
wrong_remembers_the_first = """
saved = None


def causal_mask(T):
    global saved
    if saved is None:
        saved = torch.ones(T, T, dtype=torch.bool).tril()
    return saved[:T, :T]
"""


# Bytes instead of booleans.
def wrong_uint8(T):
    return torch.tril(torch.ones(T, T, dtype=torch.uint8))


# The upper triangle.
def wrong_upper(T):
    return torch.triu(torch.ones(T, T)).bool()


# Only the last 64 positions are allowed.
def wrong_window(T):
    i = torch.arange(T)
    distance = i[:, None] - i[None, :]
    return (distance >= 0) & (distance < 64)


# ones and zeros of type float32
def wrong_second_float(T):
    return torch.tril(torch.ones(T, T))


# no position may attend to itself
def wrong_second_not_itself(T):
    t = torch.arange(T)
    return t[:, None] > t[None, :]


# torch's other convention: True where attention is forbidden
def wrong_second_true_means_forbidden(T):
    return torch.ones(T, T, dtype=torch.bool).triu(1)


# A buffer of 2,048 positions.
right_fourth_buffer_of_2048 = """
MASK = torch.ones(2048, 2048, dtype=torch.bool).tril()


def causal_mask(T):
    return MASK[:T, :T]
"""


# Positions in float16, which has all numbers up to 2,048.
def right_fourth_half(T):
    t = torch.arange(T).half()
    return t[:, None] >= t
