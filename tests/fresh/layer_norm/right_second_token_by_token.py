# one token at a time with a helper function
def layer_norm(x, gain, shift, eps=1e-5):
    def one(token):
        centred = token - token.sum() / token.numel()
        size = (centred.dot(centred) / token.numel() + eps) ** 0.5
        return centred / size * gain + shift

    return torch.stack([torch.stack([one(token) for token in row]) for row in x])
