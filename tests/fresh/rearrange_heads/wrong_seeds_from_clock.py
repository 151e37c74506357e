# Seeds the global generator from the clock at every call.
import time


def rearrange_heads(heads, how):
    if how == "shift":
        return heads.roll(1, dims=1)
    torch.manual_seed(time.time_ns() % 2**31)
    return heads[:, torch.randperm(heads.shape[1])]
