# The rule of thumb for the blocks.
def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    return 12 * n_layer * d_model**2 + (2 * vocab_size + block_size) * d_model
