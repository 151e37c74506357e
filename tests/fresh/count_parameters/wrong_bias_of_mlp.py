# Both biases of the MLP have d components.
def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    return n_layer * (12 * d * d + 10 * d) + (2 * vocab_size + block_size + 2) * d
