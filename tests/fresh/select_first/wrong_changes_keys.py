# subtracts key 0 from the caller's keys in place
def select_first(K):
    K -= K[0].clone()
    return torch.linalg.solve(-K[1:], torch.full((3,), 9.0, dtype=K.dtype))
