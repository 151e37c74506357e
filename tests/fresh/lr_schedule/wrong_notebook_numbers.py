# uses the numbers of the notebook in place of the arguments
def lr_schedule(tokens, warmup_tokens, final_tokens):
    EPOCH = 2938 * 128
    if tokens > 200 * EPOCH:
        return 0.1
    return published_schedule(tokens, 512 * 20, 200 * EPOCH)
