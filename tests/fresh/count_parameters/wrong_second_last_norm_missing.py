# forgets the LayerNorm behind the last block
def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    block = 4 * (d_model**2 + d_model) + 8 * d_model**2 + 5 * d_model + 4 * d_model
    return 2 * vocab_size * d_model + block_size * d_model + n_layer * block
