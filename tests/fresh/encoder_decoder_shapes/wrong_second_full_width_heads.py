# cross queries and keys keep the full width d in each head
def encoder_decoder_shapes(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d),
        "cross_keys": (b, h, n, d),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }
