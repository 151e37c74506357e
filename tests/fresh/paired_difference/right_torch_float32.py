# torch tensors in float32
def paired_difference(first, second):
    d = torch.tensor(first).float() - torch.tensor(second).float()
    return d.mean(), d.std() / math.sqrt(len(d))
