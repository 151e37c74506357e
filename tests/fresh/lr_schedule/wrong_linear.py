# a straight line in place of the cosine
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / warmup_tokens
    share = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)
    return max(0.1, 1 - share)
