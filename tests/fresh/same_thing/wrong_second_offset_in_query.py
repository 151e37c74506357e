# adds b2 to the query by a one in the key, so the softmax cancels it
def same_thing(x, A, b1, B, b2):
    T = x.shape[1]
    hidden = torch.relu(x @ A + b1)
    query = torch.cat([hidden, b2[:T, None].expand(len(x), T, 1)], dim=-1)
    key = torch.cat([B[:, :T].T, x.new_ones(T, 1)], dim=1)
    return query, key
