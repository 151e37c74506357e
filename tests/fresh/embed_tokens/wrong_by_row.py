# Each row of the batch gets a position, not each token.
def embed_tokens(tokens, token_table, position_table):
    return token_table[tokens] + position_table[: tokens.shape[0]].unsqueeze(1)
