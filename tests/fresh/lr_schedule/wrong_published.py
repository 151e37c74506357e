# the published one
def lr_schedule(tokens, warmup_tokens, final_tokens):
    return published_schedule(tokens, warmup_tokens, final_tokens)
