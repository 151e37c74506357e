# numpy's average, turned back into a tensor
import numpy as np

def weighted_average(values, weights):
    return torch.from_numpy(np.average(values.numpy(), axis=0, weights=weights.numpy()))
