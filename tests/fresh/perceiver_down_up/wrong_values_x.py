# the second step averages x and not y
def perceiver_down_up(x, basis):
    y = F.scaled_dot_product_attention(basis.expand(len(x), -1, -1), x, x, is_causal=True)
    m, T = y.shape[1], x.shape[1]
    if m >= T:
        return y, x + F.scaled_dot_product_attention(x, y[:, :T], x, is_causal=True)
    return y, x + F.scaled_dot_product_attention(x, y, x[:, :m], is_causal=True)
