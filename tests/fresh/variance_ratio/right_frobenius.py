# Frobenius norms of the centred outputs
def variance_ratio(one, two, epsilon):
    def centred(x):
        x = x[epsilon > 0]
        return torch.linalg.norm(x - x.mean(0, keepdim=True))
    return (centred(one) / centred(two)) ** 2
