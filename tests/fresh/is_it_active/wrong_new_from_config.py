# rebuilds the model from its config, so it tests what the setting says
def is_it_active(model, reference):
    rebuilt = GPT(model.config).eval()
    reference.eval()
    reference.load_state_dict(rebuilt.state_dict(), strict=False)
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return torch.allclose(rebuilt(tokens)[0], reference(tokens)[0], atol=1e-4)
