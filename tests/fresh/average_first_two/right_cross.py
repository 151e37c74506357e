# perpendicular to k_0 - k_1, by cross products
def average_first_two(K):
    u, v, w = K[0] - K[1], K[0] - K[2], K[0] - K[3]
    q = 10 * (torch.linalg.cross(w, u) + torch.linalg.cross(u, v))
    return q / torch.dot(torch.linalg.cross(u, v), w)
