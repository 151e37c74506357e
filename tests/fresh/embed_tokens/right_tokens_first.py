# With the axis of tokens in front, then exchanged.
def embed_tokens(tokens, token_table, position_table):
    return (token_table[tokens.T] + position_table[: tokens.shape[1], None]).transpose(0, 1)
