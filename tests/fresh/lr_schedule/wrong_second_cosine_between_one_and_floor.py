# stretches the cosine so that it ends at 0.1 and not at 0 with a floor
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    done = min(1.0, (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens))
    return 0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * done))
