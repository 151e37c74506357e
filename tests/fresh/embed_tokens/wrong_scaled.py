# Embeddings are multiplied by the root of d, as in the paper of 2017.
def embed_tokens(tokens, token_table, position_table):
    return token_table[tokens] * math.sqrt(token_table.shape[1]) + position_table[: tokens.shape[1]]
