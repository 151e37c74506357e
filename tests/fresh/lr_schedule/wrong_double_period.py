# repaired for one period only
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if final_tokens < tokens <= 2 * final_tokens:
        return 0.1
    return published_schedule(tokens, warmup_tokens, final_tokens)
