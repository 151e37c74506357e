# a query as long as the number of rows
def average_all(K):
    return torch.zeros(len(K))
