# queries from the encoder and keys from the decoder
def encoder_decoder_shapes(b, n, m, d, h, vocab_size):
    d_k = d // h
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, n, d_k),
        "cross_keys": (b, h, m, d_k),
        "cross_weights": (b, h, n, m),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }
