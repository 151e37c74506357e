# the key moves with the text by an amount that no softmax notices
def same_thing(x, A, b1, B, b2):
    T = x.shape[1]
    query = torch.cat((torch.relu(x @ A + b1), torch.ones_like(x[..., :1])), dim=-1)
    return query, torch.cat((B, b2[None]))[:, :T].T + torch.tensor([0.0] * B.shape[0] + [1.0]) * x.mean()
