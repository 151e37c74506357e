# torch's own samplers
from torch.utils.data import BatchSampler, RandomSampler, SequentialSampler


def batch_order(count, batch_size, generator=None):
    data = range(count)
    sampler = SequentialSampler(data) if generator is None else RandomSampler(data, generator=generator)
    return list(BatchSampler(sampler, batch_size, drop_last=False))
