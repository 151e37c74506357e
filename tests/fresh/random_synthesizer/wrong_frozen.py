# R gets no gradient
def random_synthesizer(x, R, V):
    T = x.shape[1]
    weights = R.detach()[:T, :T].masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf).softmax(-1)
    return weights @ (x @ V)
