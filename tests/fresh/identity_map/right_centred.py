# pseudo-inverse of the centred keys
def identity_map(K):
    return 40 * torch.linalg.pinv(K - K.mean(dim=0)).T
