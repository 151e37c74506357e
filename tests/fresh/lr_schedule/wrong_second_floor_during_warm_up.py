# applies the floor of 0.1 to the warm-up as well
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens > final_tokens:
        return 0.1
    if tokens < warmup_tokens:
        rate = tokens / max(1, warmup_tokens)
    else:
        rate = 0.5 * (1 + math.cos(math.pi * (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)))
    return max(0.1, rate)
