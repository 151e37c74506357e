# y of the first text is used for all texts
def perceiver_down_up(x, basis):
    y = F.scaled_dot_product_attention(basis[None], x[:1], x[:1], is_causal=True).expand(len(x), -1, -1)
    return y, x + F.scaled_dot_product_attention(x, y, y, is_causal=True)
