# checks and returns the renamed weights, and loads nothing
def load_pretrained(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    own = model.state_dict()
    if {n: t.shape for n, t in own.items()} != {n: t.shape for n, t in clean.items()}:
        raise ValueError("does not fit")
    return clean
