# the real part of a rotating number
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / warmup_tokens
    done = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)
    cosine = ((-1 + 0j) ** done).real
    return max(0.1, 0.5 + 0.5 * cosine) if tokens <= final_tokens else 0.1
