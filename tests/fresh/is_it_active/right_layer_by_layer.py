# compares the attention of every layer, and the logits
def is_it_active(model, reference):
    model.eval(), reference.eval()
    reference.load_state_dict(model.state_dict(), strict=False)
    x = torch.randn(2, model.config.block_size, model.config.d_model)
    tokens = torch.randint(model.config.vocab_size, (2, model.config.block_size))
    with torch.no_grad():
        same = [torch.allclose(a(x), b(x), atol=1e-4) for a, b in zip(model.blocks, reference.blocks)]
        same.append(torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4))
    return all(same)
