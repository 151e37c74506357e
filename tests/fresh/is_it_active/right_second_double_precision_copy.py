# two deep copies in float64 with larger random weights, compared on whole rows
def is_it_active(model, reference):
    mine, other = copy.deepcopy(model).double().eval(), reference.double().eval()
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for p in mine.parameters():
            p.add_(0.2 * torch.randn(p.shape, generator=generator, dtype=torch.float64))
    try:
        other.load_state_dict(mine.state_dict(), strict=False)
    except RuntimeError:  # a shape that does not fit
        return False
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size), generator=generator)
    with torch.no_grad():
        difference = (mine(tokens)[0] - other(tokens)[0]).abs().max().item()
    return difference < 1e-4
