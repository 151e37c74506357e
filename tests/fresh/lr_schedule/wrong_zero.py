# 0 after the end
def lr_schedule(tokens, warmup_tokens, final_tokens):
    return published_schedule(tokens, warmup_tokens, final_tokens) if tokens <= final_tokens else 0.0
