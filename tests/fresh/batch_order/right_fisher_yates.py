# Fisher and Yates by hand with randint from the generator
def batch_order(count, batch_size, generator=None):
    order = [*range(count)]
    if generator is not None:
        for i in range(count - 1, 0, -1):
            j = int(torch.randint(i + 1, (), generator=generator))
            order[i], order[j] = order[j], order[i]
    out = [[]]
    for x in order:
        if len(out[-1]) == batch_size:
            out.append([])
        out[-1].append(x)
    return [batch for batch in out if batch]
