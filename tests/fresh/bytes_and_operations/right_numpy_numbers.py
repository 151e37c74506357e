# numpy integers, and lists as pairs.
def bytes_and_operations(N, T, d):
    N, T, d = np.int64(N), np.int64(T), np.int64(d)
    nums = np.array([4 * N * T * d + 4 * N * T * T, 4 * N * T * d, (3 * N + 1) * T * d, 7 * N * T * d]) * 2
    products = np.array([2, 2, 2, 5]) * 2 * N * T * T * d
    names = ["in_steps", "one_tile", "synthesizer", "backward"]
    return {name: [b, o] for name, b, o in zip(names, nums, products)}
