# torch integers
def cost(T, d_k, r, k):
    columns = torch.tensor([T, T, r, k])
    products = torch.tensor([2, 2, 4, 2]) * T * d_k * columns
    return {n: (int(p), int(T * c)) for n, p, c in zip(("attention", "synthesizer", "linformer", "bigbird"), products, columns)}
