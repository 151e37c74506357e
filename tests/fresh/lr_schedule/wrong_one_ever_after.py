# full rate in the end
def lr_schedule(tokens, warmup_tokens, final_tokens):
    return published_schedule(tokens, warmup_tokens, final_tokens) if tokens < final_tokens else 1.0
