# cuts in order and shuffles the batches only
def batch_order(count, batch_size, generator=None):
    batches = [list(range(i, min(i + batch_size, count))) for i in range(0, count, batch_size)]
    if generator is not None:
        batches = [batches[i] for i in torch.randperm(len(batches), generator=generator).tolist()]
    return batches
