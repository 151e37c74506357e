# Positions are counted from 1.
def embed_tokens(tokens, token_table, position_table):
    T = tokens.shape[1]
    return token_table[tokens] + position_table[torch.arange(1, T + 1) % len(position_table)]
