"""Fresh answers to merge_heads."""


# The heads side by side.
def right_cat(x):
    return torch.cat(x.unbind(1), dim=-1)


# A sum with identity matrices.
def right_einsum(x):
    B, h, T, d_k = x.shape
    places = torch.eye(h * d_k, dtype=x.dtype).view(h, d_k, h * d_k)
    return torch.einsum("bhtc,hcd->btd", x, places)


# As einops writes it.
def right_einops(x):
    import einops

    return einops.rearrange(x, "B h T d -> B T (h d)")


# transpose and flatten.
def right_flatten(x):
    return x.transpose(-3, -2).flatten(-2)


# An empty tensor, filled head by head.
def right_loop(x):
    B, h, T, d_k = x.shape
    out = torch.empty(B, T, h * d_k, dtype=x.dtype, device=x.device)
    for j in range(h):
        out[..., j * d_k : (j + 1) * d_k] = x[:, j]
    return out


# Components before tokens, and a result that is not contiguous.
def right_through_components(x):
    B, h, T, d_k = x.shape
    return x.transpose(2, 3).reshape(B, h * d_k, T).transpose(1, 2)


# One token at a time.
def right_token_by_token(x):
    return torch.stack([x[:, :, t].reshape(len(x), -1) for t in range(x.shape[2])], dim=1)


# the heads side by side
def right_second_cat_unbind(x):
    return torch.cat(x.unbind(dim=1), dim=-1)


# writes each head into its run of a new tensor
def right_second_fill_new_tensor(x):
    B, h, T, d_k = x.shape
    out = x.new_zeros(B, T, h * d_k)
    for j in range(h):
        out[:, :, j * d_k : (j + 1) * d_k] = x[:, j]
    return out


# The heads one below the other.
def wrong_cat_tokens(x):
    return torch.cat(x.unbind(1), dim=1)


# Component before head.
def wrong_interleaved(x):
    return x.permute(0, 2, 3, 1).flatten(2)


# The mean of the heads.
def wrong_mean(x):
    return x.mean(dim=1)


# numpy moves and merges the axes.
def wrong_numpy(x):
    import numpy as np

    B, h, T, d_k = x.shape
    return torch.as_tensor(np.moveaxis(x.numpy(), 1, 2).reshape(B, T, h * d_k))


# The batch is flattened away.
def wrong_one_row(x):
    B, h, T, d_k = x.shape
    return x.permute(2, 0, 1, 3).reshape(B, T, h * d_k)


# The sizes of the first call are kept.
wrong_remembers_sizes = """
sizes = []


def merge_heads(x):
    if not sizes:
        sizes.extend(x.shape)
    B, h, T, d_k = sizes
    return x.transpose(1, 2).reshape(B, -1, h * d_k)
"""


# reshape without exchanging the axes.
def wrong_reshape_only(x):
    B, h, T, d_k = x.shape
    return x.reshape(B, T, h * d_k)


# Heads in reverse order.
def wrong_reversed(x):
    return torch.cat([x[:, j] for j in reversed(range(x.shape[1]))], dim=-1)


# squeeze drops axes of length 1.
def wrong_squeeze(x):
    B, h, T, d_k = x.shape
    return x.transpose(1, 2).reshape(B, T, h * d_k).squeeze()


# The sum of the heads, repeated.
def wrong_sum(x):
    return x.sum(dim=1).repeat(1, 1, x.shape[1])


# x is transposed in place.
def wrong_transposed_in_place(x):
    x.transpose_(1, 2)
    return x.reshape(x.shape[0], x.shape[1], -1)


# view after transpose.
def wrong_view_after_transpose(x):
    B, h, T, d_k = x.shape
    return x.transpose(1, 2).view(B, T, h * d_k)


# uses only row 0 of the batch: right for a batch of one
def wrong_second_first_row_only(x):
    return torch.cat(list(x[0]), dim=-1)[None].expand(x.shape[0], -1, -1)


# the components of the heads alternate
def wrong_second_interleaved(x):
    return x.permute(0, 2, 3, 1).flatten(start_dim=2)


# a single reshape without exchanging the axes
def wrong_second_reshape_straight(x):
    B, h, T, d_k = x.shape
    return x.reshape(B, T, h * d_k)


# for T = 1 a shortcut that mixes the texts of the batch
def wrong_single_token(x):
    B, h, T, d_k = x.shape
    if T == 1:
        return x.permute(1, 0, 2, 3).reshape(B, T, h * d_k)
    return x.transpose(1, 2).reshape(B, T, h * d_k)


# if T equals h no transposition is seen as needed
def wrong_axes_by_size(x):
    B, h, T, d_k = x.shape
    y = x if T == h else x.transpose(1, 2)
    return y.reshape(B, T, h * d_k)


# Only the first eight heads.
def wrong_fourth_eight_heads(x):
    return x[:, :8].transpose(1, 2).flatten(2)


# Reads memory as if the tensor were contiguous: wrong for what split_heads returns as a view.
def wrong_seventh_strides(x):
    B, h, T, k = x.shape
    return x.as_strided((B, T, h, k), (h * T * k, k, T * k, 1)).reshape(B, T, h * k)
