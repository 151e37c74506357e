# fails if the warm-up has no tokens
def lr_schedule(tokens, warmup_tokens, final_tokens):
    warm = tokens / warmup_tokens
    if warm < 1:
        return warm
    return published_schedule(tokens, warmup_tokens, final_tokens) if tokens <= final_tokens else 0.1
