# buffers are not loaded
def load_pretrained(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    own = model.state_dict()
    if {n: t.shape for n, t in own.items()} != {n: t.shape for n, t in clean.items()}:
        raise ValueError("does not fit")
    for name, parameter in model.named_parameters():
        parameter.data.copy_(clean[name])
    return model.state_dict()
