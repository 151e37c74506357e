# the token table gets no gradient
def embed_tokens(tokens, token_table, position_table):
    return F.embedding(tokens, token_table.data) + position_table[: tokens.shape[1]]
