# the floor begins when half of the cosine is done
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens > (warmup_tokens + final_tokens) / 2:
        return 0.1
    return published_schedule(tokens, warmup_tokens, final_tokens)
