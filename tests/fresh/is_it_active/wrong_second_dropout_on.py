# does not switch to evaluation mode, so a right model with dropout differs from itself
def is_it_active(model, reference):
    reference.load_state_dict(model.state_dict(), strict=False)
    tokens = torch.randint(1, model.config.vocab_size, (2, model.config.block_size))
    with torch.no_grad():
        return bool(torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-5))
