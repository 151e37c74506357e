# the numbers are numpy integers inside lists
def batch_order(count, batch_size, generator=None):
    order = np.arange(count) if generator is None else torch.randperm(count, generator=generator).numpy()
    return [list(order[i : i + batch_size]) for i in range(0, count, batch_size)]
