# a helper that adds up lists of sizes, written like the table
def bytes_and_operations(N, T, d):
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
