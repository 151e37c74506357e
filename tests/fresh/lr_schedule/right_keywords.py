# calls the published function by its argument names
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens <= final_tokens:
        return published_schedule(final_tokens=final_tokens, warmup_tokens=warmup_tokens, tokens=tokens)
    return 1 / 10
