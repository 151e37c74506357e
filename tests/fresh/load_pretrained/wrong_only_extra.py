# missing names are ignored
def load_pretrained(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    own = model.state_dict()
    for name, tensor in clean.items():
        if name not in own or own[name].shape != tensor.shape:
            raise ValueError(name)
    model.load_state_dict(own | clean)
    return model.state_dict()
