# whole division in the warm-up
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return float(tokens // max(1, warmup_tokens))
    return published_schedule(tokens, warmup_tokens, final_tokens) if tokens <= final_tokens else 0.1
