"""Fresh answers to mend_the_leak."""


# A sum over the past as a convolution with ones.
def right_convolution(heads):
    B, h, T, d = heads.shape
    squares = heads.square().sum(-1).reshape(B * h, 1, T)
    summed = F.conv1d(F.pad(squares, (T - 1, 0)), squares.new_ones(1, 1, T)).reshape(B, h, T, 1)
    norms = summed.sqrt()
    return heads * norms / norms.mean(1, keepdim=True)


# The norm so far and the new vector by hypot.
def right_hypot(heads):
    norm, out = torch.zeros_like(heads[:, :, 0, 0]), []
    for vectors in heads.unbind(2):
        norm = torch.hypot(norm, vectors.norm(dim=-1))
        out.append(vectors * (norm / norm.mean(1, keepdim=True))[:, :, None])
    return torch.stack(out, dim=2)


# T copies of the row, the later positions set to 0 in each.
def right_masked_copies(heads):
    B, h, T, d = heads.shape
    keep = torch.ones(T, T, dtype=torch.bool, device=heads.device).tril()
    copies = heads[:, :, None].expand(B, h, T, T, d).masked_fill(~keep[..., None], 0)
    norms = torch.linalg.matrix_norm(copies)
    return heads * (norms / norms.mean(dim=1, keepdim=True))[..., None]


# The leaky formula for each row cut off after t; keeps its last position.
def right_prefix_by_prefix(heads):
    pieces = []
    for t in range(heads.shape[2]):
        part = heads[:, :, : t + 1]
        norm = part.flatten(2).norm(dim=2)
        pieces.append(heads[:, :, t] * (norm / norm.mean(1, keepdim=True))[..., None])
    return torch.stack(pieces, 2)


# The root of the mean square so far: the factor √(t + 1) cancels.
def right_running_mean_square(heads):
    squares = heads.square().mean(-1)
    count = torch.arange(1, heads.shape[2] + 1, device=heads.device)
    rms = (squares.cumsum(-1) / count).sqrt()
    return heads * (rms / rms.mean(1, keepdim=True)).unsqueeze(-1)


# A product with a lower triangle adds the squares up to t.
def right_triangle(heads):
    T = heads.shape[2]
    low = torch.tril(torch.ones(T, T)).to(heads)
    norms = (low @ heads.pow(2).sum(-1, keepdim=True)).sqrt()
    return heads * norms / norms.mean(dim=1, keepdim=True)


# for each t, re-weight the prefix and keep its last position
def right_second_prefix_by_prefix(heads):
    def last_of(prefix):
        norms = torch.linalg.vector_norm(prefix, dim=(2, 3))
        return prefix[:, :, -1] * (norms / norms.mean(dim=1, keepdim=True))[..., None]

    T = heads.shape[2]
    return torch.stack([last_of(heads[:, :, : t + 1]) for t in range(T)], dim=2)


# running root mean squares: the number of entries cancels in the ratio
def right_second_running_root_mean_square(heads):
    T = heads.shape[2]
    seen = torch.ones(T, T, dtype=heads.dtype, device=heads.device).tril()
    averages = seen / seen.sum(dim=1, keepdim=True)  # row t averages positions 0 … t
    squares = heads.square().mean(dim=-1)  # (B, n_head, T)
    rms = torch.einsum("ti,bhi->bht", averages, squares).sqrt()
    return heads * (rms / rms.mean(dim=1, keepdim=True)).unsqueeze(-1)


# A triangle of 32 positions.
wrong_buffer_of_32 = """
LOW = torch.ones(32, 32, dtype=torch.float64).tril()


def mend_the_leak(heads):
    T = heads.shape[2]
    norms = (LOW[:T, :T].to(heads) @ heads.square().sum(-1, keepdim=True)).sqrt()
    return heads * norms / norms.mean(1, keepdim=True)
"""


# The norms are detached.
def wrong_constant_norms(heads):
    norms = heads.detach().square().sum(-1, keepdim=True).cumsum(2).sqrt()
    return heads * norms / norms.mean(1, keepdim=True)


# cumsum along the heads.
def wrong_cumulated_over_heads(heads):
    norms = heads.square().sum(-1, keepdim=True).cumsum(1).sqrt()
    return heads * norms / norms.mean(1, keepdim=True)


# Sums from t to the end.
def wrong_from_the_end(heads):
    norms = heads.square().sum(-1, keepdim=True).flip(2).cumsum(2).flip(2).sqrt()
    return heads * norms / norms.mean(1, keepdim=True)


# Multiplies the caller's heads in place.
def wrong_heads_changed(heads):
    norms = heads.detach().square().sum(-1, keepdim=True).cumsum(2).sqrt()
    heads.mul_(norms / norms.mean(1, keepdim=True))
    return heads


# The norms are over the past, but their mean is over all positions.
def wrong_mean_leaks(heads):
    norms = heads.square().sum(-1, keepdim=True).cumsum(2).sqrt()
    return heads * norms / norms.mean((1, 2), keepdim=True)


# The mean norm is averaged over the past, too.
def wrong_mean_of_past_means(heads):
    norms = heads.square().sum(-1, keepdim=True).cumsum(2).sqrt()
    steps = torch.arange(1, heads.shape[2] + 1, dtype=heads.dtype, device=heads.device)[:, None]
    return heads * norms / (norms.mean(1, keepdim=True).cumsum(2) / steps)


# In numpy, so no gradient flows.
def wrong_numpy(heads):
    x = heads.detach().numpy()
    norms = np.sqrt((x**2).sum(-1, keepdims=True).cumsum(axis=2))
    return torch.from_numpy(x * norms / norms.mean(axis=1, keepdims=True))


# The norm of position t alone.
def wrong_own_position_only(heads):
    norms = heads.norm(dim=-1, keepdim=True)
    return heads * norms / norms.mean(1, keepdim=True)


# Adds norms in place of squares.
def wrong_sum_of_norms(heads):
    norms = heads.norm(dim=-1, keepdim=True).cumsum(2)
    return heads * norms / norms.mean(1, keepdim=True)


# view on heads that come from a transpose.
def wrong_view_of_transposed(heads):
    B, h, T, d = heads.shape
    norms = heads.view(B * h, T, d).square().sum(-1).cumsum(1).sqrt().view(B, h, T, 1)
    return heads * norms / norms.mean(1, keepdim=True)


# The squares of all rows are added.
def wrong_whole_batch(heads):
    norms = heads.square().sum((0, 3), keepdim=True).cumsum(2).sqrt()
    return heads * norms / norms.mean(1, keepdim=True)


# Only the last eight positions count.
def wrong_window_of_eight(heads):
    squares = heads.square().sum(-1, keepdim=True)
    norms = sum(F.pad(squares, (0, 0, s, 0))[:, :, : heads.shape[2]] for s in range(8)).sqrt()
    return heads * norms / norms.mean(1, keepdim=True)


# The norm is over the positions before t, without t.
def wrong_without_itself(heads):
    squares = heads.square().sum(-1, keepdim=True)
    norms = (squares.cumsum(2) - squares + 1e-12).sqrt()
    return heads * norms / norms.mean(1, keepdim=True)


# causal norms, but divided by the mean of the norms over the whole row
def wrong_second_mean_still_leaks(heads):
    causal = heads.square().sum(dim=3, keepdim=True).cumsum(dim=2).sqrt()
    whole = torch.linalg.matrix_norm(heads, keepdim=True)
    return heads * causal / whole.mean(dim=1, keepdim=True)


# adds up the norms of the positions instead of their squares
def wrong_second_sum_of_norms(heads):
    norms = heads.norm(dim=-1).cumsum(dim=2)[..., None]
    return heads * norms / norms.mean(dim=1, keepdim=True)


# the norms at position t are over the positions before t only (position 0 stays as it is)
def wrong_second_without_own_position(heads):
    squares = heads.square().sum(dim=3).cumsum(dim=2)
    pieces = [heads[:, :, :1]]
    for t in range(1, heads.shape[2]):
        norms = squares[:, :, t - 1].sqrt()
        factor = norms / norms.mean(dim=1, keepdim=True)
        pieces.append(heads[:, :, t : t + 1] * factor[:, :, None, None])
    return torch.cat(pieces, dim=2)


# a norm is never below 0.01
def wrong_fourth_clamp(heads):
    n = heads.square().sum(-1, keepdim=True).cumsum(2).sqrt().clamp(min=1e-2)
    return heads * n / n.mean(1, keepdim=True)


# a triangle of 256 positions
wrong_fourth_buffer_256 = """
LOW = torch.ones(256, 256, dtype=torch.float64).tril()
def mend_the_leak(heads):
    T = heads.shape[2]
    n = (LOW[:T, :T].to(heads) @ heads.square().sum(-1, keepdim=True)).sqrt()
    return heads * n / n.mean(1, keepdim=True)
"""


# Only the last 64 positions count.
def wrong_fifth_window(heads):
    t = torch.arange(heads.shape[2])
    past = ((t[:, None] >= t) & (t[:, None] - t < 64)).to(heads.dtype)
    norms = torch.einsum("ts,bhs->bht", past, heads.square().sum(3)).sqrt()[..., None]
    return heads * norms / norms.mean(1, keepdim=True)
