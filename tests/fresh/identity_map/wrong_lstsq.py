# pseudo-inverse of the keys without the shift
def identity_map(K):
    return 100 * torch.linalg.pinv(K).T
