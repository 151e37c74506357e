# a short row uses the last T rows and columns
def random_synthesizer(x, R, V):
    T = x.shape[1]
    part = R[-T:, -T:]
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return part.masked_fill(later, -math.inf).softmax(dim=-1) @ (x @ V)
