# copies what has the same name and shape
def is_it_active(model, reference):
    theirs = model.state_dict()
    with torch.no_grad():
        for name, tensor in reference.state_dict().items():
            if name in theirs and theirs[name].shape == tensor.shape:
                tensor.copy_(theirs[name])
    generator = torch.Generator().manual_seed(1)
    tokens = torch.randint(0, model.config.vocab_size, (3, model.config.block_size), generator=generator)
    was = model.training
    model.eval(), reference.eval()
    with torch.no_grad():
        difference = model(tokens)[0] - reference(tokens)[0]
    model.train(was)
    return difference.abs().max().item() < 1e-4
