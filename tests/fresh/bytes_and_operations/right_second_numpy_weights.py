# coefficients in a small integer matrix, multiplied with the sizes
def bytes_and_operations(N, T, d):
    # columns: numbers of size N·T·d, of size N·T·T, of size T·d, and matrix products
    names = ("in_steps", "one_tile", "synthesizer", "backward")
    table = np.array([[4, 4, 0, 2], [4, 0, 0, 2], [3, 0, 1, 2], [7, 0, 0, 5]], dtype=object)
    sizes = np.array([N * T * d, N * T * T, T * d], dtype=object)
    moved = 2 * table[:, :3].dot(sizes)
    done = table[:, 3] * (2 * N * T * T * d)
    return {name: (int(b), int(o)) for name, b, o in zip(names, moved, done)}
