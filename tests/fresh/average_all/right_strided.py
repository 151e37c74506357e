# a strided view of a larger tensor
def average_all(K):
    return (0 * K).T[:, 2]
