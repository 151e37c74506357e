# looks at the first layer only
def is_it_active(model, reference):
    model.eval(), reference.eval()
    reference.load_state_dict(model.state_dict(), strict=False)
    x = torch.randn(2, model.config.block_size, model.config.d_model)
    with torch.no_grad():
        return torch.allclose(model.blocks[0](x), reference.blocks[0](x), atol=1e-4)
