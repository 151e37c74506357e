# its own formula: cos² of the half angle, branches from the end to the beginning
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens > final_tokens:
        return 0.1
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    done = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)
    return max(math.cos(math.pi / 2 * done) ** 2, 0.1)
