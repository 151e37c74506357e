# Concatenated instead of added.
def embed_tokens(tokens, token_table, position_table):
    T = tokens.shape[1]
    return torch.cat((token_table[tokens], position_table[:T].expand(len(tokens), -1, -1)), dim=-1)
