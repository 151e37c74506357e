# The whole position table is added.
def embed_tokens(tokens, token_table, position_table):
    return token_table[tokens] + position_table
