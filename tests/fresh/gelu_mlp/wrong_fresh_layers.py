# Fresh Linear layers that ignore the given weights.
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    first, second = torch.nn.Linear(*w_1.shape).to(x.dtype), torch.nn.Linear(*w_2.shape).to(x.dtype)
    return second(F.gelu(first(x)))
