# One key at a time, with stack on the last axis.
def attention_scores(q, k):
    d_k = q.shape[-1]
    columns = []
    for i in range(k.shape[-2]):
        columns.append((q * k[..., i : i + 1, :]).sum(dim=-1))
    return torch.stack(columns, dim=-1) / np.sqrt(d_k)


import numpy as np
