# one row after the other
def perceiver_down_up(x, basis):
    N, T, d = x.shape
    m = len(basis)
    y = []
    for i in range(m):
        seen = x[:, : i + 1]
        y.append(torch.softmax(seen @ basis[i] / math.sqrt(d), dim=1).unsqueeze(1) @ seen)
    y = torch.cat(y, dim=1)
    out = []
    for t in range(T):
        seen = y[:, : t + 1]
        out.append(torch.softmax(torch.einsum("nd,nid->ni", x[:, t], seen) / d**0.5, 1)[:, None] @ seen)
    return y, x + torch.cat(out, dim=1)
