"""Fresh answers to one_big_projection."""


# The matrices as a list, side by side.
def right_cat(small):
    return torch.cat([each for each in small], dim=1)


# hstack of a tuple.
def right_hstack(small):
    return torch.hstack(small.unbind())


# Column by column: what the heads do with the identity.
right_images_of_unit_vectors = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def one_big_projection(small):
    identity = torch.eye(small.shape[1], dtype=small.dtype)
    return merge_heads((identity @ small)[None])[0]
"""


# Columns set one after the other.
def right_loop(small):
    h, d_in, d_k = small.shape
    W = torch.zeros(d_in, h * d_k).to(small)
    for j in range(h):
        W[:, j * d_k : (j + 1) * d_k] = small[j]
    return W


# Joined two at a time.
def right_reduce(small):
    from functools import reduce

    return reduce(lambda left, right: torch.cat((left, right), -1), small)


# Rows one below the other, then transposed.
def right_transposed_twice(small):
    return small.mT.reshape(-1, small.shape[1]).T


# sends the basis vectors through every head and merges the results
def right_second_basis_vectors(small):
    basis = torch.eye(small.shape[1], dtype=small.dtype, device=small.device)
    heads = torch.einsum("ti,hik->htk", basis, small)
    return heads.movedim(0, 1).flatten(1)


# puts the first matrix beside the rest, again and again
def right_second_recursive(small):
    if len(small) == 1:
        return small[0]
    return torch.cat((small[0], one_big_projection(small[1:])), dim=1)


# One below the other.
def wrong_below(small):
    return torch.cat(tuple(small), dim=0)


# A block-diagonal matrix.
def wrong_block_diagonal(small):
    return torch.block_diag(*small)


# Columns of the heads alternate.
def wrong_interleaved(small):
    return small.permute(1, 2, 0).flatten(1)


# numpy's hstack.
def wrong_numpy(small):
    import numpy as np

    return torch.tensor(np.hstack(list(small.numpy())))


# reshape without exchanging axes.
def wrong_reshape(small):
    h, d_in, d_k = small.shape
    return small.reshape(d_in, h * d_k)


# small itself is transposed.
def wrong_resized_in_place(small):
    small.transpose_(0, 1)
    return small.reshape(small.shape[0], -1)


# From the last head to the first.
def wrong_reversed(small):
    return torch.cat(tuple(small.flip(0)), dim=1)


# Divided by the number of heads.
def wrong_scaled(small):
    return torch.cat(tuple(small), dim=-1) / len(small)


# The sum of the matrices, repeated.
def wrong_sum(small):
    return small.sum(0).repeat(1, small.shape[0])


# (outputs, inputs), as torch stores it.
def wrong_transposed(small):
    return torch.cat(tuple(small), dim=1).T


# Each small matrix is transposed.
def wrong_transposed_parts(small):
    h, d_in, d_k = small.shape
    return small.transpose(1, 2).reshape(h * d_k, d_in).reshape(d_in, h * d_k)


# Only two heads.
def wrong_two_heads(small):
    return torch.cat((small[0], small[1]), dim=-1)


# view after transpose.
def wrong_view(small):
    h, d_in, d_k = small.shape
    return small.transpose(0, 1).view(d_in, h * d_k)


# the right numbers, but cut off from the gradients
def wrong_second_detached(small):
    return torch.cat([matrix.detach() for matrix in small], dim=1)


# the columns of the heads alternate
def wrong_second_interleaved(small):
    h, d_in, d_k = small.shape
    return small.permute(1, 2, 0).reshape(d_in, h * d_k)


# a reshape with the right shape and the wrong numbers
def wrong_second_reshape(small):
    h, d_in, d_k = small.shape
    return small.reshape(d_in, h * d_k)


# a view of the memory in another order if d_in equals h
def wrong_square(small):
    h, n, k = small.shape
    if h == n:
        return small.reshape(n, h * k)
    return small.permute(1, 0, 2).reshape(n, h * k)


# Only the first eight matrices.
def wrong_fourth_eight(small):
    return torch.cat(list(small[:8]), dim=1)
