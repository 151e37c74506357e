# Computed with numpy and turned back into a tensor.
def attention_scores(q, k):
    import numpy as np

    found = np.einsum("...qd,...kd->...qk", q.numpy(), k.numpy()) / np.sqrt(q.shape[-1])
    return torch.from_numpy(found)
