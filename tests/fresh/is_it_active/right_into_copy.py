# the weights of the reference into a copy of the model
def is_it_active(model, reference):
    twin = copy.deepcopy(model).eval()
    twin.load_state_dict(reference.eval().state_dict(), strict=False)
    torch.manual_seed(3)
    tokens = torch.randint(0, model.config.vocab_size, (8, model.config.block_size))
    with torch.inference_mode():
        a, b = twin(tokens)[0], reference(tokens)[0]
    return bool((a - b).abs().max() < 1e-3 * b.abs().max())
