# Counted in modules of torch.
def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    nn, d = torch.nn, d_model
    block = nn.ModuleList([nn.Linear(d, d) for _ in range(4)] + [nn.Linear(d, 4 * d), nn.Linear(4 * d, d), nn.LayerNorm(d), nn.LayerNorm(d)])
    rest = nn.ModuleList([nn.Embedding(vocab_size, d), nn.Embedding(block_size, d), nn.LayerNorm(d), nn.Linear(d, vocab_size, bias=False)])
    count = lambda part: sum(map(torch.Tensor.numel, part.parameters()))
    return count(rest) + n_layer * count(block)
