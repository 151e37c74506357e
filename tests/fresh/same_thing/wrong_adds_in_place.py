# right pair, but b1 is added into x's product by changing b2 in place
def same_thing(x, A, b1, B, b2):
    T = x.shape[1]
    query = torch.cat((torch.relu(x @ A + b1), torch.ones_like(x[..., :1])), dim=-1)
    key = torch.cat((B, b2[None]))[:, :T].T.clone()
    b2.zero_()
    return query, key
