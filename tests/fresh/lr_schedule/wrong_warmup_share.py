# the warm-up is a share of the whole run
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / final_tokens
    return published_schedule(tokens, warmup_tokens, final_tokens) if tokens <= final_tokens else 0.1
