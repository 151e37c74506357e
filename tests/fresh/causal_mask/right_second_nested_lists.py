# a nested list of Python bools
def causal_mask(T: int) -> torch.Tensor:
    """True where position t may attend to position i."""
    rows = [[i <= t for i in range(T)] for t in range(T)]
    return torch.tensor(rows, dtype=torch.bool)
