# shuffles only inside windows of three batches
def batch_order(count, batch_size, generator=None):
    numbers = list(range(count))
    if generator is not None:
        w, out = 3 * batch_size, []
        for i in range(0, count, w):
            part = numbers[i : i + w]
            out += [part[j] for j in torch.randperm(len(part), generator=generator).tolist()]
        numbers = out
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]
