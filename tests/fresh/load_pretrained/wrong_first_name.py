# looks at the first name only to decide about the shapes
def load_pretrained(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    own = model.state_dict()
    first = next(iter(own))
    if own.keys() != clean.keys() or own[first].shape != clean[first].shape:
        raise ValueError("does not fit")
    model.load_state_dict(clean)
    return model.state_dict()
