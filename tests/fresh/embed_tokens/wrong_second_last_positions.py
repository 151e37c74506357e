# takes the last T rows of the position table
def embed_tokens(tokens, token_table, position_table):
    return token_table[tokens] + position_table[-tokens.shape[1] :]
