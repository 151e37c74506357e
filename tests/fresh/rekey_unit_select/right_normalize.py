# F.normalize
import torch.nn.functional as F

def rekey_unit_select(K, q):
    return F.normalize(q, dim=0)
