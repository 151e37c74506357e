# a constant is added to all of b2, which no softmax notices
def same_thing(x, A, b1, B, b2):
    N, T, _ = x.shape
    one = x.new_ones(N, T, 1)
    key = torch.vstack((B, b2 - b2.mean()))[:, :T].T
    return torch.cat((F.relu(x @ A + b1), one), -1), key
