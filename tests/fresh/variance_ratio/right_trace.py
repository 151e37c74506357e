# the trace of the covariance matrix
def variance_ratio(one, two, epsilon):
    kept = [x[epsilon > 0] for x in (one, two)]
    return torch.trace(torch.cov(kept[0].T)) / torch.trace(torch.cov(kept[1].T))
