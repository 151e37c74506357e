# Token embeddings alone.
def embed_tokens(tokens, token_table, position_table):
    return token_table[tokens]
