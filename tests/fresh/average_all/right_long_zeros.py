# zeros of whole-number type
def average_all(K):
    return torch.tensor([0, 0, 0])
