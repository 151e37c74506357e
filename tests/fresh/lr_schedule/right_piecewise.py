# a table of conditions and functions
def lr_schedule(tokens, warmup_tokens, final_tokens):
    pieces = [
        (lambda t: t < warmup_tokens, lambda t: t / warmup_tokens),
        (lambda t: t > final_tokens, lambda t: 0.1),
        (lambda t: True, lambda t: published_schedule(t, warmup_tokens, final_tokens)),
    ]
    return next(value(tokens) for holds, value in pieces if holds(tokens))
