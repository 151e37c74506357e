# in-place work, but only on a copy, then a sum over the last axis of the transpose
def weighted_average(values: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    scaled = values.clone().T
    scaled *= weights
    return scaled.sum(-1)
