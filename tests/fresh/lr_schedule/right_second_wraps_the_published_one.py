# calls the published schedule where it is right
def lr_schedule(tokens, warmup_tokens, final_tokens):
    """The published one, cut off at final_tokens."""
    inside = tokens <= final_tokens
    return published_schedule(tokens, warmup_tokens, final_tokens) if inside else 0.1
