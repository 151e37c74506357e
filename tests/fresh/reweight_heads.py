"""Fresh answers to reweight_heads."""


# Sums of squares by einsum.
def right_einsum(heads):
    norm = torch.einsum("bhtd,bhtd->bh", heads, heads) ** 0.5
    share = norm / norm.sum(dim=1, keepdim=True) * heads.size(1)
    return torch.einsum("bh,bhtd->bhtd", share, heads)


# Changes a clone in place.
def right_in_place_on_a_copy(heads):
    out = heads.clone()
    norms = heads.square().sum((2, 3)).sqrt()
    mean = norms.mean(1)
    for h in range(heads.shape[1]):
        out[:, h] = heads[:, h] * (norms[:, h] / mean)[:, None, None]
    return out


# Python loops over rows and heads, stacked at the end.
def right_loops(heads):
    rows = []
    for row in heads:
        norms = [head.norm() for head in row]
        mean = sum(norms) / len(norms)
        rows.append(torch.stack([head * (norm / mean) for head, norm in zip(row, norms)]))
    return torch.stack(rows)


# torch.linalg.matrix_norm is the Frobenius norm by default.
def right_matrix_norm(heads):
    norms = torch.linalg.matrix_norm(heads, keepdim=True)
    return heads * (norms / norms.mean(1, keepdim=True))


# Heads moved to the end for broadcasting, and back.
def right_not_contiguous(heads):
    x = heads.permute(2, 3, 0, 1)
    norms = torch.linalg.vector_norm(x, dim=(0, 1))
    return (x * norms / norms.mean(-1, keepdim=True)).permute(2, 3, 0, 1)


# The root mean square in place of the norm: the factor √(T d) cancels.
def right_root_mean_square(heads):
    rms = heads.pow(2).mean((-2, -1), keepdim=True).sqrt()
    return heads * rms / rms.mean(dim=-3, keepdim=True)


# Guards the division with 1e-12.
def right_tiny_guard(heads):
    norms = torch.norm(heads, p="fro", dim=(2, 3), keepdim=True)
    return heads * norms / (norms.mean(dim=1, keepdim=True) + 1e-12)


# One row as a function, for all rows by vmap.
right_vmap = """
def one_row(row):
    norms = row.flatten(1).norm(dim=1)
    return row * (norms / norms.mean())[:, None, None]


def reweight_heads(heads):
    return torch.vmap(one_row)(heads)
"""


# a loop over the rows and heads, joined by stack
def right_second_row_by_row(heads):
    rows = []
    for row in heads:
        strengths = [head.norm() for head in row]
        average = sum(strengths) / len(strengths)
        rows.append(torch.stack([head * (strength / average) for head, strength in zip(row, strengths)]))
    return torch.stack(rows)


# the number of heads times the share of each norm in their sum
def right_second_vector_norm_sum(heads):
    """Multiplies by n_head * norm / (sum of norms), which is norm / mean norm."""
    n_head = heads.size(1)
    norms = torch.linalg.vector_norm(heads, dim=(-2, -1), keepdim=True)
    share = norms / norms.sum(dim=1, keepdim=True)
    return heads.mul(share).mul(n_head)


# Sums absolute values in place of squares.
def wrong_absolute_values(heads):
    norms = heads.abs().sum(dim=(2, 3), keepdim=True)
    return heads * norms / norms.mean(dim=1, keepdim=True)


# Keeps the factors between 0.1 and 3.
def wrong_clamped(heads):
    norms = heads.norm(dim=(2, 3), keepdim=True)
    return heads * (norms / norms.mean(dim=1, keepdim=True)).clamp(0.1, 3.0)


# Only the mean is detached.
def wrong_constant_mean(heads):
    norms = heads.square().sum((2, 3), keepdim=True).sqrt()
    return heads * norms / norms.mean(dim=1, keepdim=True).detach()


# The norms are detached.
def wrong_constant_norms(heads):
    norms = heads.detach().square().sum((2, 3), keepdim=True).sqrt()
    return heads * norms / norms.mean(dim=1, keepdim=True)


# The result is made with torch.zeros, which is float32.
def wrong_float32(heads):
    out = torch.zeros(heads.shape)
    norms = heads.norm(dim=(2, 3))
    for h in range(heads.shape[1]):
        out[:, h] = heads[:, h] * (norms[:, h] / norms.mean(1))[:, None, None]
    return out


# Guards the division with 1e-3.
def wrong_guard_too_large(heads):
    norms = heads.norm(dim=(2, 3), keepdim=True)
    return heads * norms / (norms.mean(dim=1, keepdim=True) + 1e-3)


# Multiplies the caller's heads in place.
def wrong_heads_changed(heads):
    norms = heads.detach().norm(dim=(2, 3), keepdim=True)
    heads *= norms / norms.mean(dim=1, keepdim=True)
    return heads


# One mean norm for the whole batch.
def wrong_mean_of_the_batch(heads):
    norms = heads.norm(dim=(2, 3), keepdim=True)
    return heads * norms / norms.mean()


# Uses the norms of row 0 for all rows.
def wrong_norms_of_the_first_row(heads):
    norms = heads[0].norm(dim=(1, 2))
    return heads * (norms / norms.mean())[None, :, None, None]


# The largest singular value in place of the Frobenius norm.
def wrong_spectral_norm(heads):
    norms = torch.linalg.matrix_norm(heads, ord=2, keepdim=True)
    return heads * norms / norms.mean(dim=1, keepdim=True)


# The root is missing.
def wrong_squares(heads):
    norms = heads.square().sum((2, 3), keepdim=True)
    return heads * norms / norms.mean(dim=1, keepdim=True)


# The standard deviation takes the mean off.
def wrong_standard_deviation(heads):
    spread = heads.std(dim=(2, 3), keepdim=True)
    return heads * spread / spread.mean(dim=1, keepdim=True)


# Divides by 3, whatever the number of heads.
def wrong_three_heads(heads):
    norms = heads.norm(dim=(2, 3), keepdim=True)
    return heads * norms / (norms.sum(dim=1, keepdim=True) / min(3, heads.shape[1]))


# the mean norm is taken over the heads of all rows
def wrong_second_mean_over_batch(heads):
    norms = heads.flatten(2).norm(dim=2)[..., None, None]
    return heads * norms / norms.mean()


# right numbers, but no gradient flows through the norms
def wrong_second_norm_detached(heads):
    with torch.no_grad():
        norms = torch.linalg.matrix_norm(heads)[:, :, None, None]
        factor = norms / norms.mean(dim=1, keepdim=True)
    return heads * factor


# a norm for each position, over the components only
def wrong_second_norm_per_position(heads):
    norms = heads.norm(dim=-1, keepdim=True)
    return heads * norms / norms.mean(dim=1, keepdim=True)


# divides by the norm first: a head of zeros becomes nan
def wrong_fourth_unit_then(heads):
    n = heads.norm(dim=(2, 3), keepdim=True)
    return heads / n * n * n / n.mean(1, keepdim=True)


# a norm is never below 0.01
def wrong_fourth_clamp_norm(heads):
    n = heads.norm(dim=(2, 3), keepdim=True).clamp(min=1e-2)
    return heads * n / n.mean(1, keepdim=True)


# view on heads that were split from one tensor
def wrong_fourth_view(heads):
    B, n, T, d = heads.shape
    s = heads.view(B, n, T * d).norm(dim=2)
    return heads * (s / s.mean(1, keepdim=True))[..., None, None]


# The mean is over the heads that are not 0.
def wrong_fifth_mean_of_nonzero(heads):
    norms = heads.norm(dim=(2, 3), keepdim=True)
    count = (norms > 0).sum(1, keepdim=True).clamp(min=1)
    return heads * norms / (norms.sum(1, keepdim=True) / count)
