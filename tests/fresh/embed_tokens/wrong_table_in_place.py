# The position table is changed.
def embed_tokens(tokens, token_table, position_table):
    out = position_table[: tokens.shape[1]]
    out += token_table[tokens[0]]
    return out.expand(len(tokens), -1, -1) - token_table[tokens[0]] + token_table[tokens]
