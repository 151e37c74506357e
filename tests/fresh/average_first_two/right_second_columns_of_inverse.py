# adds two columns of the inverse of [K 1], so the other logits are equal too
def average_first_two(K):
    table = torch.hstack((K, K.new_ones(len(K), 1)))
    inverse = torch.linalg.inv(table)
    return (14 * inverse[:, 0] + 14 * inverse[:, 1])[:-1]
