# GELU by the complementary error function of the negative argument
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    hidden = torch.einsum("btd,dn->btn", x, w_1) + b_1
    below = torch.erfc(-hidden / math.sqrt(2)) / 2
    return torch.einsum("btn,nd->btd", hidden * below, w_2) + b_2
