# the residual is added into x itself
def perceiver_down_up(x, basis):
    y = F.scaled_dot_product_attention(basis.expand(len(x), -1, -1), x, x, is_causal=True)
    up = F.scaled_dot_product_attention(x, y, y, is_causal=True)
    with torch.no_grad():
        x += up
    return y, x
