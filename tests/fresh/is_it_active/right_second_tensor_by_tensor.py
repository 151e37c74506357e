# copies every tensor of the model that the reference has too; several lengths, compared in relative size
def is_it_active(model, reference):
    given = model.state_dict()
    with torch.no_grad():
        for name, tensor in reference.state_dict().items():
            if name in given and given[name].shape == tensor.shape:
                tensor.copy_(given[name])
    model.eval()
    reference.eval()
    generator = torch.Generator().manual_seed(3)
    block = model.config.block_size
    for length in (block, max(2, block // 2), block):
        tokens = torch.randint(0, model.config.vocab_size, (8, length), generator=generator)
        with torch.inference_mode():
            a, b = model(tokens)[0], reference(tokens)[0]
        if float((a - b).norm()) > 3e-6 * float(b.norm()):
            return False
    return True
