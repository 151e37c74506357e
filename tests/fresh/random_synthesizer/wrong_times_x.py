# logits that depend on the text
def random_synthesizer(x, R, V):
    T = x.shape[1]
    logits = R[:T, :T] * x.mean(dim=(1, 2), keepdim=True)
    return logits.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf).softmax(-1) @ (x @ V)
