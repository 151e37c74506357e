# The output projection is missing.
def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    return n_layer * (11 * d * d + 12 * d) + (2 * vocab_size + block_size + 2) * d
