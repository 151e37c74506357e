# once at the floor, it stays there for every later call
at_the_floor = []


def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens > final_tokens:
        at_the_floor.append(tokens)
    return 0.1 if at_the_floor else published_schedule(tokens, warmup_tokens, final_tokens)
