# computed in float32
def two_head_failure():
    return float(torch.erfc(torch.tensor(1.0)) / 2)
