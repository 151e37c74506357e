# a column
def average_all(K):
    return torch.zeros(3, 1)
