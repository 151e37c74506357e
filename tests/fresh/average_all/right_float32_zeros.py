# a float32 tensor of zeros
def average_all(K):
    return torch.zeros(3)
