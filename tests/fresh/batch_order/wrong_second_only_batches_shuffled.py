# makes the batches in order and shuffles only which batch comes first
def batch_order(count, batch_size, generator=None):
    batches = [list(range(i, min(i + batch_size, count))) for i in range(0, count, batch_size)]
    if generator is None:
        return batches
    full = [batch for batch in batches if len(batch) == batch_size]
    rest = [batch for batch in batches if len(batch) < batch_size]
    return [full[i] for i in torch.randperm(len(full), generator=generator).tolist()] + rest
