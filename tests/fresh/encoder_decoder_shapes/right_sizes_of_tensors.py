# torch.Size, from tensors on a device without numbers.
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def encoder_decoder_shapes(b, n, m, d, h, vocab_size):
    def empty(*shape):
        return torch.empty(shape, device="meta")

    memory, out = empty(b, n, d), empty(b, m, d)
    q, k = split_heads(out, h), split_heads(memory, h)
    return {
        "memory": memory.shape,
        "encoder_weights": (k @ k.mT).shape,
        "decoder_weights": (q @ q.mT).shape,
        "cross_queries": q.shape,
        "cross_keys": k.shape,
        "cross_weights": (q @ k.mT).shape,
        "decoder_output": out.shape,
        "logits": (out @ empty(d, vocab_size)).shape,
    }
