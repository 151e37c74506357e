# ends one warm-up too late
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens > final_tokens + warmup_tokens:
        return 0.1
    return published_schedule(tokens, warmup_tokens, final_tokens)
