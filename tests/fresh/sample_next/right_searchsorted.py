# searchsorted, on the right of equal sums.
def sample_next(logits, temperature, u):
    if not temperature:
        return int(logits.argmax())
    sums = F.softmax(logits / temperature, dim=-1).cumsum(-1)
    return torch.searchsorted(sums, torch.tensor(u, dtype=sums.dtype), right=True).clamp(max=len(logits) - 1).item()
