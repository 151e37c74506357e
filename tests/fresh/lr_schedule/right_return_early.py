# one case before the published function
def lr_schedule(tokens, warmup_tokens, final_tokens):
    return 0.1 if tokens > final_tokens else published_schedule(tokens, warmup_tokens, final_tokens)
