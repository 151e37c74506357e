# the text attends to all rows
def perceiver_down_up(x, basis):
    y = F.scaled_dot_product_attention(basis.expand(len(x), -1, -1), x, x, is_causal=True)
    return y, x + F.scaled_dot_product_attention(x, y, y)
