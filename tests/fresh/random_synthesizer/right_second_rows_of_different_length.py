# a softmax over each row's first t + 1 logits, padded with zeros, then einsum
def random_synthesizer(x, R, V):
    T = x.shape[1]
    rows = [F.pad(R[t, : t + 1].softmax(dim=0), (0, T - t - 1)) for t in range(T)]
    return torch.einsum("ti,nid,de->nte", torch.stack(rows), x, V)
