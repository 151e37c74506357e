# the later weights are set to 0 after the softmax and the rest does not sum to 1
def synthesizer_attention(x, A, b1, B, b2, V):
    T = x.shape[1]
    weights = torch.softmax(torch.relu(x @ A + b1) @ B[:, :T] + b2[:T], dim=-1)
    return weights.tril() @ (x @ V)
