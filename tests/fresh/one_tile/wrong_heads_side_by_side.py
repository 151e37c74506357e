# Takes the stride from the width, so it is right for one head only.
def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    q, k, v = (memory[start : start + length * width].view(length, width) for start in (query, key, value))
    out = F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=causal)[0]
    return F.pad(out, (0, 0, 0, tile - length))
