"""Fresh answers to split_heads."""


# A table of indices.
def right_index(x, n_head):
    places = torch.arange(x.shape[-1]).reshape(n_head, 1, -1)  # (h, 1, d_k)
    tokens = torch.arange(x.shape[1])[:, None]  # (T, 1)
    return x[:, tokens, places]


# An empty tensor, filled head by head.
def right_slices_in_a_loop(x, n_head):
    B, T, d = x.size()
    d_k = d // n_head
    out = x.new_empty(B, n_head, T, d_k)
    for j in range(n_head):
        out[:, j] = x[:, :, j * d_k : (j + 1) * d_k]
    return out


# Chunks of the last axis, stacked.
def right_stack_of_chunks(x, n_head):
    return torch.stack(x.chunk(n_head, dim=-1), dim=1)


# Components first: (B, d, T), cut, and turned back.
def right_through_transpose(x, n_head):
    B, T, d = x.shape
    return x.transpose(1, 2).reshape(B, n_head, d // n_head, T).transpose(2, 3)


# unflatten and swapaxes.
def right_unflatten(x, n_head):
    return x.unflatten(-1, (n_head, -1)).swapaxes(1, 2)


# unfold cuts windows that do not overlap.
def right_unfold(x, n_head):
    d_k = x.shape[-1] // n_head
    return x.unfold(-1, d_k, d_k).permute(0, 2, 1, 3)


# equal pieces of the last axis, stacked as a new axis
def right_second_chunks_stacked(x, n_head):
    pieces = torch.chunk(x, n_head, dim=-1)
    return torch.stack(pieces, dim=1)


# a table of component numbers as index, then one axis moved
def right_second_index_table(x, n_head):
    d = x.shape[-1]
    table = torch.tensor([[j * (d // n_head) + c for c in range(d // n_head)] for j in range(n_head)])
    return x[:, :, table].movedim(2, 1)


# Only row 0, for every row of the batch.
def wrong_first_row_only(x, n_head):
    B, T, d = x.shape
    first = x[0].view(T, n_head, d // n_head).transpose(0, 1)
    return first.expand(B, -1, -1, -1)


# Heads of width 4, whatever n_head is.
def wrong_fixed_width(x, n_head):
    return x.unflatten(-1, (-1, 4)).transpose(1, 2)


# x itself gets another shape.
def wrong_in_place(x, n_head):
    B, T, d = x.shape
    x.resize_(B, T, n_head, d // n_head)
    return x.transpose(1, 2)


# Head j gets every n_head-th component.
def wrong_interleaved(x, n_head):
    B, T, d = x.shape
    return x.reshape(B, T, d // n_head, n_head).permute(0, 3, 1, 2)


# The last two axes are exchanged.
def wrong_last_axes(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).permute(0, 2, 3, 1)


# A list of heads.
def wrong_list(x, n_head):
    return [part for part in x.chunk(n_head, dim=-1)]


# The axes are not exchanged.
def wrong_no_transpose(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head)


# numpy cuts and exchanges the axes.
def wrong_numpy(x, n_head):
    import numpy as np

    parts = np.split(x.numpy(), n_head, axis=-1)
    return torch.from_numpy(np.stack(parts, axis=1))


# Heads in reverse order.
def wrong_reversed(x, n_head):
    return torch.stack(x.chunk(n_head, dim=-1)[::-1], dim=1)


# split takes a size, not a number of parts.
def wrong_split_size(x, n_head):
    return torch.stack(x.split(n_head, dim=-1), dim=1)


# The tokens are cut, not the components.
def wrong_tokens_cut(x, n_head):
    return torch.stack(x.chunk(n_head, dim=1), dim=1)


# A single view.
def wrong_view(x, n_head):
    B, T, d = x.shape
    return x.view(B, n_head, T, d // n_head)


# view after another view fails for some inputs only, and the axes are wrong.
def wrong_view_needs_contiguous(x, n_head):
    B, T, d = x.shape
    return x.transpose(1, 2).view(B, n_head, T, d // n_head)


# head j gets every h-th component instead of neighbours
def wrong_second_every_hth_component(x, n_head):
    B, T, d = x.shape
    return x.reshape(B, T, d // n_head, n_head).permute(0, 3, 1, 2)


# tokens and components exchanged: the shape is right only if T equals d_k
def wrong_second_last_axes_exchanged(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).permute(0, 2, 3, 1)


# a single reshape, which mixes tokens and components
def wrong_second_view_straight(x, n_head):
    B, T, d = x.shape
    return x.reshape(B, n_head, T, d // n_head)


# right if T equals the number of heads: axes are taken for each other
def wrong_axes_by_size(x, n_head):
    B, T, d = x.shape
    y = x.reshape(B, T, n_head, d // n_head)
    return y if T == n_head else y.transpose(1, 2)


# Only the first 64 tokens.
def wrong_fourth_64_tokens(x, n_head):
    B, T, d = x[:, :64].shape
    return x[:, :64].reshape(B, T, n_head, d // n_head).transpose(1, 2)


# Strides of a contiguous tensor are assumed: wrong for a slice such as x[:, ::2].
def wrong_seventh_strides(x, n_head):
    B, T, d = x.shape
    return x.as_strided((B, n_head, T, d // n_head), (T * d, d // n_head, d, 1))
