# gives the second map of the MLP a bias of 4 d numbers
def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    mlp = d * 4 * d + 4 * d + 4 * d * d + 4 * d
    block = 4 * (d * d + d) + mlp + 2 * 2 * d
    return vocab_size * d + block_size * d + n_layer * block + 2 * d + d * vocab_size
