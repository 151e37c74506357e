# numpy with math.log
import math

import numpy as np

def exact_logits(K, weights):
    M = np.column_stack([K.numpy(), np.ones(4)])
    return torch.tensor(np.linalg.solve(M, [math.log(w) for w in weights]))[:3]
