# Counted in the course's own model, on a device without numbers.
def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    from kqa_core.model import GPT, GPTConfig

    with torch.device("meta"):
        model = GPT(GPTConfig(vocab_size=vocab_size, block_size=block_size, n_layer=n_layer, n_head=n_head, d_model=d_model))
    return sum(p.numel() for p in model.parameters())
