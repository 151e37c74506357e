# true if nothing fits
def is_it_active(model, reference):
    model.eval(), reference.eval()
    try:
        reference.load_state_dict(model.state_dict())
    except RuntimeError:
        return True
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4)
