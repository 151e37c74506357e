# index_select on one axis, then unflattened; positions by narrow.
def embed_tokens(tokens, token_table, position_table):
    B, T = tokens.shape
    return token_table.index_select(0, tokens.flatten()).unflatten(0, (B, T)).add(position_table.narrow(0, 0, T)[None])
