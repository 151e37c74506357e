# The position table is indexed by the tokens.
def embed_tokens(tokens, token_table, position_table):
    return token_table[tokens] + position_table[tokens % len(position_table)]
