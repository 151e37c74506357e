# rounded to two places
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens > final_tokens:
        return 0.1
    return round(published_schedule(tokens, warmup_tokens, final_tokens), 2)
