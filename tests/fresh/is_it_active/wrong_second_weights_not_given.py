# compares the two models with their own weights
def is_it_active(model, reference):
    model.eval()
    reference.eval()
    tokens = torch.randint(1, model.config.vocab_size, (2, model.config.block_size))
    with torch.no_grad():
        return bool(torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-5))
