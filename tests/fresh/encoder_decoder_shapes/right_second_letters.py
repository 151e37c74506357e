# the shapes as letters that are looked up
def encoder_decoder_shapes(b, n, m, d, h, vocab_size):
    sizes = {"b": b, "n": n, "m": m, "d": d, "h": h, "k": d // h, "V": vocab_size}
    letters = {
        "memory": "bnd",
        "encoder_weights": "bhnn",
        "decoder_weights": "bhmm",
        "cross_queries": "bhmk",
        "cross_keys": "bhnk",
        "cross_weights": "bhmn",
        "decoder_output": "bmd",
        "logits": "bmV",
    }
    return {name: tuple(sizes[letter] for letter in word) for name, word in letters.items()}
