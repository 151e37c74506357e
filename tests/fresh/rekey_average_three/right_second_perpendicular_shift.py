# key 0 plus a vector that is perpendicular to q
def rekey_average_three(K, q):
    sideways = torch.linalg.cross(q, K[1])
    return K[0] + sideways / (1 + sideways.norm())
