# both in double precision, in copies
def is_it_active(model, reference):
    a, b = copy.deepcopy(model).double().eval(), copy.deepcopy(reference).double().eval()
    b.load_state_dict(a.state_dict(), strict=False)
    tokens = torch.arange(model.config.block_size)[None] * 7 % model.config.vocab_size
    return torch.dist(a(tokens)[0], b(tokens)[0]).item() < 1e-8
