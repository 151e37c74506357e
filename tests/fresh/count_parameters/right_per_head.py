# Summed head by head.
def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    d, d_k = d_model, d_model // n_head
    heads = sum(3 * (d + 1) * d_k for _ in range(n_head))
    per_block = heads + (d + 1) * d + (d + 1) * 4 * d + (4 * d + 1) * d + 2 * 2 * d
    return per_block * n_layer + vocab_size * d * 2 + block_size * d + 2 * d
