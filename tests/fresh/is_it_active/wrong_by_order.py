# pairs the parameters by their order, so a spare one shifts them
def is_it_active(model, reference):
    model.eval(), reference.eval()
    for a, b in zip(model.parameters(), reference.parameters()):
        if a.shape == b.shape:
            b.data = a.data
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4)
