"""Fresh answers to bytes_and_operations."""


# Floats, because 5/2 is one.
def right_floats(N, T, d):
    forward = 4.0 * N * T * T * d
    tile = 8.0 * N * T * d
    return {
        "in_steps": (tile * (1 + T / d), forward),
        "one_tile": (tile, forward),
        "synthesizer": (0.75 * tile + 2 * T * d, forward),
        "backward": (1.75 * tile, 2.5 * forward),
    }


# Lists of tensors and products, counted by a helper.
def right_lists_of_shapes(N, T, d):
    row, square = N * T * d, N * T * T
    product = 2 * N * T * T * d

    def cost(tensors, products):
        return 2 * sum(tensors), products * product

    return {
        "in_steps": cost([row, row, square, square, square, square, row, row], 2),
        "one_tile": cost([row] * 4, 2),
        "synthesizer": cost([row, T * d, row, row], 2),
        "backward": cost([row] * 7, 5),
    }


# Named tuples as pairs.
right_named_tuples = """
from collections import namedtuple

Cost = namedtuple("Cost", "bytes operations")


def bytes_and_operations(N, T, d):
    work = 4 * N * d * T**2
    return dict(
        in_steps=Cost(8 * N * T * (d + T), work),
        one_tile=Cost(8 * N * T * d, work),
        synthesizer=Cost(6 * N * T * d + 2 * T * d, work),
        backward=Cost(14 * N * T * d, 5 * work // 2),
    )
"""


# numpy integers, and lists as pairs.
def right_numpy_numbers(N, T, d):
    N, T, d = np.int64(N), np.int64(T), np.int64(d)
    nums = np.array([4 * N * T * d + 4 * N * T * T, 4 * N * T * d, (3 * N + 1) * T * d, 7 * N * T * d]) * 2
    products = np.array([2, 2, 2, 5]) * 2 * N * T * T * d
    names = ["in_steps", "one_tile", "synthesizer", "backward"]
    return {name: [b, o] for name, b, o in zip(names, nums, products)}


# An OrderedDict that is filled kernel by kernel.
right_ordered_dict = """
import collections


def bytes_and_operations(N, T, d):
    counts = collections.OrderedDict()
    qk = (2 * (2 * N * T * d + N * T * T), 2 * N * T * d * T)
    soft = (2 * 2 * N * T * T, 0)
    wv = (2 * (N * T * T + 2 * N * T * d), 2 * N * T * T * d)
    counts["in_steps"] = tuple(map(sum, zip(qk, soft, wv)))
    counts["one_tile"] = (2 * 4 * N * T * d, qk[1] + wv[1])
    counts["synthesizer"] = (2 * (3 * N * T * d + T * d), qk[1] + wv[1])
    counts["backward"] = (2 * 7 * N * T * d, 5 * qk[1])
    return counts
"""


# a helper that adds up lists of sizes, written like the table
def right_second_counted_kernels(N, T, d):
    rows, square, two_bytes = T * d, T * T, 2

    def kernel(heads, moved, products):
        """moved: the tensors that are read or written by each head; products: (a, b, c) for (a, b) × (b, c)."""
        return two_bytes * heads * sum(moved), heads * sum(2 * a * b * c for a, b, c in products)

    inner, outer = (T, d, T), (T, T, d)
    three = [
        kernel(N, [rows, rows, square], [inner]),
        kernel(N, [square, square], []),
        kernel(N, [square, rows, rows], [outer]),
    ]
    bytes_once, operations = kernel(N, [rows] * 3, [inner, outer])  # without the keys
    return {
        "in_steps": tuple(map(sum, zip(*three))),
        "one_tile": kernel(N, [rows] * 4, [inner, outer]),
        "synthesizer": (bytes_once + two_bytes * rows, operations),
        "backward": kernel(N, [rows] * 7, [inner, inner, outer, outer, outer]),
    }


# coefficients in a small integer matrix, multiplied with the sizes
def right_second_numpy_weights(N, T, d):
    # columns: numbers of size N·T·d, of size N·T·T, of size T·d, and matrix products
    names = ("in_steps", "one_tile", "synthesizer", "backward")
    table = np.array([[4, 4, 0, 2], [4, 0, 0, 2], [3, 0, 1, 2], [7, 0, 0, 5]], dtype=object)
    sizes = np.array([N * T * d, N * T * T, T * d], dtype=object)
    moved = 2 * table[:, :3].dot(sizes)
    done = table[:, 3] * (2 * N * T * T * d)
    return {name: (int(b), int(o)) for name, b, o in zip(names, moved, done)}


# Reads the output as well.
def wrong_backward_reads_output(N, T, d):
    p = 2 * N * T * T * d
    r = 2 * N * T * d
    return {
        "in_steps": (4 * r + 8 * N * T * T, 2 * p),
        "one_tile": (4 * r, 2 * p),
        "synthesizer": (3 * r + 2 * T * d, 2 * p),
        "backward": (8 * r, 5 * p),
    }


# Forgets to read the gradient of the output.
def wrong_backward_reads_three(N, T, d):
    p = 2 * N * T * T * d
    r = 2 * N * T * d
    return {
        "in_steps": (4 * r + 8 * N * T * T, 2 * p),
        "one_tile": (4 * r, 2 * p),
        "synthesizer": (3 * r + 2 * T * d, 2 * p),
        "backward": (6 * r, 5 * p),
    }


# Writes the weights to memory in the backward pass.
def wrong_backward_squares(N, T, d):
    p = 2 * N * T * T * d
    r = 2 * N * T * d
    return {
        "in_steps": (4 * r + 8 * N * T * T, 2 * p),
        "one_tile": (4 * r, 2 * p),
        "synthesizer": (3 * r + 2 * T * d, 2 * p),
        "backward": (7 * r + 2 * N * T * T, 5 * p),
    }


# Keeps the result of its first call with the same T.
wrong_counts_only_the_first_call = """
SEEN = {}


def bytes_and_operations(N, T, d):
    if T in SEEN:
        return SEEN[T]
    p = 2 * N * T * T * d
    r = 2 * N * T * d
    SEEN[T] = {
        "in_steps": (4 * r + 8 * N * T * T, 2 * p),
        "one_tile": (4 * r, 2 * p),
        "synthesizer": (3 * r + 2 * T * d, 2 * p),
        "backward": (7 * r, 5 * p),
    }
    return SEEN[T]
"""


# Forgets that the logits are computed again.
def wrong_four_products_backward(N, T, d):
    p = 2 * N * T * T * d
    r = 2 * N * T * d
    return {
        "in_steps": (4 * r + 8 * N * T * T, 2 * p),
        "one_tile": (4 * r, 2 * p),
        "synthesizer": (3 * r + 2 * T * d, 2 * p),
        "backward": (7 * r, 4 * p),
    }


# The squares of one head only.
def wrong_one_head_of_squares(N, T, d):
    p = 2 * N * T * T * d
    r = 2 * N * T * d
    return {
        "in_steps": (4 * r + 8 * T * T, 2 * p),
        "one_tile": (4 * r, 2 * p),
        "synthesizer": (3 * r + 2 * T * d, 2 * p),
        "backward": (7 * r, 5 * p),
    }


# (operations, bytes).
def wrong_pairs_exchanged(N, T, d):
    p = 2 * N * T * T * d
    r = 2 * N * T * d
    return {
        "in_steps": (2 * p, 4 * r + 8 * N * T * T),
        "one_tile": (2 * p, 4 * r),
        "synthesizer": (2 * p, 3 * r + 2 * T * d),
        "backward": (5 * p, 7 * r),
    }


# Leaves out queries and keys for the table.
def wrong_queries_shared_too(N, T, d):
    p = 2 * N * T * T * d
    r = 2 * N * T * d
    return {
        "in_steps": (4 * r + 8 * N * T * T, 2 * p),
        "one_tile": (4 * r, 2 * p),
        "synthesizer": (2 * r + 2 * T * d, 2 * p),
        "backward": (7 * r, 5 * p),
    }


# Counts the product with V of the forward pass again.
def wrong_six_products_backward(N, T, d):
    p = 2 * N * T * T * d
    r = 2 * N * T * d
    return {
        "in_steps": (4 * r + 8 * N * T * T, 2 * p),
        "one_tile": (4 * r, 2 * p),
        "synthesizer": (3 * r + 2 * T * d, 2 * p),
        "backward": (7 * r, 6 * p),
    }


# Sizes of the example: counts squares as 2 T d, which is the same only for T = 2 d.
def wrong_squares_as_rows(N, T, d):
    p = 2 * N * T * T * d
    r = 2 * N * T * d
    return {
        "in_steps": (12 * r, 2 * p),
        "one_tile": (4 * r, 2 * p),
        "synthesizer": (3 * r + 2 * T * d, 2 * p),
        "backward": (7 * r, 5 * p),
    }


# Every head reads the shared table.
def wrong_table_for_each_head(N, T, d):
    p = 2 * N * T * T * d
    r = 2 * N * T * d
    return {
        "in_steps": (4 * r + 8 * N * T * T, 2 * p),
        "one_tile": (4 * r, 2 * p),
        "synthesizer": (4 * r, 2 * p),
        "backward": (7 * r, 5 * p),
    }


# The shared table is not counted at all.
def wrong_table_is_free(N, T, d):
    p = 2 * N * T * T * d
    r = 2 * N * T * d
    return {
        "in_steps": (4 * r + 8 * N * T * T, 2 * p),
        "one_tile": (4 * r, 2 * p),
        "synthesizer": (3 * r, 2 * p),
        "backward": (7 * r, 5 * p),
    }


# Adds the table as numbers, not as bytes.
def wrong_table_without_bytes(N, T, d):
    p = 2 * N * T * T * d
    r = 2 * N * T * d
    return {
        "in_steps": (4 * r + 8 * N * T * T, 2 * p),
        "one_tile": (4 * r, 2 * p),
        "synthesizer": (3 * r + T * d, 2 * p),
        "backward": (7 * r, 5 * p),
    }


# the backward pass also reads the output, and the logits are not computed again
def wrong_second_backward_reads_the_output(N, T, d):
    rows, square = N * T * d, N * T * T
    return {
        "in_steps": (8 * rows + 8 * square, 4 * square * d),
        "one_tile": (8 * rows, 4 * square * d),
        "synthesizer": (6 * rows + 2 * T * d, 4 * square * d),
        "backward": (16 * rows, 8 * square * d),
    }


# the Synthesizer's table of keys is counted for each head again
def wrong_second_keys_once_for_each_head(N, T, d):
    rows, square = N * T * d, N * T * T
    return {
        "in_steps": (8 * rows + 8 * square, 4 * square * d),
        "one_tile": (8 * rows, 4 * square * d),
        "synthesizer": (8 * rows, 4 * square * d),
        "backward": (14 * rows, 10 * square * d),
    }


# forgets in three steps that the softmax writes its square again
def wrong_second_softmax_reads_only(N, T, d):
    rows, square = N * T * d, N * T * T
    return {
        "in_steps": (8 * rows + 6 * square, 4 * square * d),
        "one_tile": (8 * rows, 4 * square * d),
        "synthesizer": (6 * rows + 2 * T * d, 4 * square * d),
        "backward": (14 * rows, 10 * square * d),
    }
