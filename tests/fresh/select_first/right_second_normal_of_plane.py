# the normal of the plane through the other three keys, scaled to a lead of 12
def select_first(K):
    normal = torch.linalg.cross(K[2] - K[1], K[3] - K[1])
    lead = torch.dot(normal, K[0] - K[1])
    return normal * (12.0 / lead)
