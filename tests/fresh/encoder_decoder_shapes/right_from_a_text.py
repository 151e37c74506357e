# Shapes from a text in letters.
def encoder_decoder_shapes(b, n, m, d, h, vocab_size):
    sizes = {"b": b, "n": n, "m": m, "d": d, "h": h, "k": d // h, "V": vocab_size}
    names = "memory encoder_weights decoder_weights cross_queries cross_keys cross_weights decoder_output logits".split()
    texts = "bnd bhnn bhmm bhmk bhnk bhmn bmd bmV".split()
    return {name: tuple(sizes[letter] for letter in text) for name, text in zip(names, texts)}
