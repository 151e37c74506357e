# the share of the cosine in degrees
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    if tokens > final_tokens:
        return 0.1
    share = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)
    return max(0.1, 0.5 * (1 + math.cos(180 * share)))
