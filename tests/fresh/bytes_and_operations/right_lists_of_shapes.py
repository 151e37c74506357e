# Lists of tensors and products, counted by a helper.
def bytes_and_operations(N, T, d):
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
