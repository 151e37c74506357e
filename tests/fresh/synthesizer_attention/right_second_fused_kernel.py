# torch's fused attention with a query that has an extra 1 and a key that has b2 as an extra column
def synthesizer_attention(x, A, b1, B, b2, V):
    N, T, _ = x.shape
    hidden = F.relu(torch.addmm(b1, x.reshape(N * T, -1), A)).view(N, T, -1)
    query = F.pad(hidden, (0, 1), value=1.0)
    key = torch.cat([B[:, :T], b2[None, :T]]).T.expand(N, T, -1)
    return F.scaled_dot_product_attention(query, key, x @ V, is_causal=True, scale=1.0)
