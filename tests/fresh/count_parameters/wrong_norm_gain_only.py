# A LayerNorm has no shift.
def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    return n_layer * (12 * d * d + 11 * d) + (2 * vocab_size + block_size + 1) * d
