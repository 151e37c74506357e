# Slices of the memory in a list comprehension, padded with zeros.
def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    def rows(start):
        return torch.stack([memory[start + t * stride : start + t * stride + width] for t in range(length)])

    q, k, v = rows(query), rows(key), rows(value)
    out = F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=causal)[0]
    return F.pad(out, (0, 0, 0, tile - length))
