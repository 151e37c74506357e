# a table of component numbers as index, then one axis moved
def split_heads(x, n_head):
    d = x.shape[-1]
    table = torch.tensor([[j * (d // n_head) + c for c in range(d // n_head)] for j in range(n_head)])
    return x[:, :, table].movedim(2, 1)
