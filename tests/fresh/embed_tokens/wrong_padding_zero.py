# Token 0 is thought to be padding and gets no token embedding.
def embed_tokens(tokens, token_table, position_table):
    words = token_table[tokens].masked_fill((tokens == 0)[..., None], 0.0)
    return words + position_table[: tokens.shape[1]]
