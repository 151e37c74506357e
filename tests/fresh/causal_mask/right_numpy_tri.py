# numpy's triangle, turned into a tensor.
def causal_mask(T):
    import numpy as np

    return torch.from_numpy(np.tri(T, dtype=bool))
