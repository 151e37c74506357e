# the constant is in the key and b2 in the query, at the wrong positions
def same_thing(x, A, b1, B, b2):
    N, T, _ = x.shape
    query = torch.cat((torch.relu(x @ A + b1), b2[:T, None].expand(N, T, 1)), dim=-1)
    return query, torch.cat((B[:, :T].T, torch.ones(T, 1).to(B)), dim=1)
