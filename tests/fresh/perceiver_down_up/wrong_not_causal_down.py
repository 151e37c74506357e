# the rows attend to the whole text
def perceiver_down_up(x, basis):
    y = F.scaled_dot_product_attention(basis.expand(len(x), -1, -1), x, x)
    return y, x + F.scaled_dot_product_attention(x, y, y, is_causal=True)
