# a cosine from 1 to 0.1 in place of a floor
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / warmup_tokens
    if tokens > final_tokens:
        return 0.1
    share = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)
    return 0.1 + 0.45 * (1 + math.cos(math.pi * share))
