# an AssertionError
def load_pretrained(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    own = model.state_dict()
    assert own.keys() == clean.keys() and all(own[n].shape == clean[n].shape for n in own), "does not fit"
    model.load_state_dict(clean)
    return model.state_dict()
