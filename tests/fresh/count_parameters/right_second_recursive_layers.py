# one block at a time by recursion, the rest in the base case
def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    if n_layer == 0:
        return 2 * vocab_size * d + block_size * d + 2 * d
    attention = 4 * (d + 1) * d
    mlp = (d + 1) * 4 * d + (4 * d + 1) * d
    return attention + mlp + 2 * (2 * d) + count_parameters(vocab_size, block_size, n_layer - 1, n_head, d)
