# the floor holds in the warm-up, too
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens > final_tokens:
        return 0.1
    return max(0.1, published_schedule(tokens, warmup_tokens, final_tokens))
