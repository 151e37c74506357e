# the normal of the plane through the three other keys, on the side of key 0
def select_first(K):
    n = torch.linalg.cross(K[2] - K[1], K[3] - K[1])
    lead = n @ (K[0] - K[1])
    return 8 * n / lead
