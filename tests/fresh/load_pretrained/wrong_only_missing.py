# extra names are ignored
def load_pretrained(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    own = model.state_dict()
    if not set(own) <= set(clean):
        raise ValueError("names are missing")
    if any(own[name].shape != clean[name].shape for name in own):
        raise ValueError("shapes")
    model.load_state_dict({name: clean[name] for name in own})
    return model.state_dict()
