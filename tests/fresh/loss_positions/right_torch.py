# a torch mask, and tolist
def loss_positions(question, answer, block_size):
    t = torch.arange(block_size - 1)
    mask = (t >= len(question) - 1) & (t <= len(question) + len(answer))
    return torch.where(mask)[0].tolist()
