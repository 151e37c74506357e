# counts the progress from 0 and not from the end of the warm-up
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    done = min(1.0, tokens / max(1, final_tokens))
    return max(0.1, 0.5 * (1 + math.cos(math.pi * done)))
