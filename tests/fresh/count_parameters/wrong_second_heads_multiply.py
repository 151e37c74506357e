# counts the attention maps once for each head with the width d // n_head, but W_O with the full size per head
def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    d_k = d_model // n_head
    attention = n_head * 3 * (d_model * d_k + d_k) + n_head * (d_model**2 + d_model)
    block = attention + 8 * d_model**2 + 5 * d_model + 4 * d_model
    return 2 * vocab_size * d_model + block_size * d_model + n_layer * block + 2 * d_model
