# the cosine begins at token 0
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / warmup_tokens
    share = min(1.0, tokens / final_tokens)
    return max(0.1, 0.5 * (1 + math.cos(math.pi * share)))
