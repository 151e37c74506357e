# torch.bucketize with the inner edges
def calibration_error(confidences, right, bins):
    c = torch.tensor(confidences, dtype=torch.float64)
    edges = torch.tensor([k / bins for k in range(1, bins)], dtype=torch.float64)
    k = torch.bucketize(c, edges, right=True)
    gaps = torch.zeros(bins, dtype=torch.float64).index_add_(0, k, torch.tensor(right, dtype=torch.float64) - c)
    return gaps.abs().sum() / len(c)
