# a dry run with tensors on the meta device, which hold no numbers; torch.Size is a tuple
def encoder_decoder_shapes(b, n, m, d, h, vocab_size):
    source, target = (torch.empty(b, length, d, device="meta") for length in (n, m))

    def heads(x):
        return x.unflatten(-1, (h, d // h)).transpose(1, 2)

    def table(x, y):
        return heads(x) @ heads(y).mT

    found = dict(memory=source, decoder_output=target, cross_queries=heads(target), cross_keys=heads(source))
    found.update(encoder_weights=table(source, source), decoder_weights=table(target, target))
    found.update(cross_weights=table(target, source), logits=target @ torch.empty(d, vocab_size, device="meta"))
    return {name: tensor.shape for name, tensor in found.items()}
