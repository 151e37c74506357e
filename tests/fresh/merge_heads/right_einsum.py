# A sum with identity matrices.
def merge_heads(x):
    B, h, T, d_k = x.shape
    places = torch.eye(h * d_k, dtype=x.dtype).view(h, d_k, h * d_k)
    return torch.einsum("bhtc,hcd->btd", x, places)
