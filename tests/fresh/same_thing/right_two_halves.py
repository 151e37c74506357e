# b2 split over two constant channels of the query
def same_thing(x, A, b1, B, b2):
    T = x.shape[1]
    hidden = torch.relu(x @ A + b1)
    query = torch.cat((hidden, torch.full_like(x[:, :, :1], 0.5).expand(-1, -1, 2)), dim=-1)
    return query, torch.cat((B[:, :T].T, b2[:T, None].expand(T, 2)), dim=1)
