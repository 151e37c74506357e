# the attention weights have no batch axis
def encoder_decoder_shapes(b, n, m, d, h, vocab_size):
    d_k = d // h
    return {
        "memory": (b, n, d),
        "encoder_weights": (h, n, n),
        "decoder_weights": (h, m, m),
        "cross_queries": (b, h, m, d_k),
        "cross_keys": (b, h, n, d_k),
        "cross_weights": (h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }
