# rows of the same token
def is_it_active(model, reference):
    model.eval(), reference.eval()
    reference.load_state_dict(model.state_dict(), strict=False)
    tokens = torch.zeros(4, model.config.block_size, dtype=torch.int64)
    with torch.no_grad():
        return torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4)
