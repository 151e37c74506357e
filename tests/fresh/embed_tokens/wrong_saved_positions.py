# The positions of the first call are kept.
places = None


def embed_tokens(tokens, token_table, position_table):
    global places
    if places is None:
        places = position_table[: tokens.shape[1]]
    return token_table[tokens] + places[: tokens.shape[1]]
