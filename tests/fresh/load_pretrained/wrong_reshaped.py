# the number of entries is compared, not the shape
def load_pretrained(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    own = model.state_dict()
    if own.keys() != clean.keys() or any(own[n].numel() != clean[n].numel() for n in own):
        raise ValueError("does not fit")
    model.load_state_dict({name: clean[name].reshape(own[name].shape) for name in own})
    return model.state_dict()
