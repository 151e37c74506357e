# lstrip with letters
def load_pretrained(model, weights):
    clean = {name.lstrip("_orig_mod.").lstrip("module."): w for name, w in weights.items()}
    try:
        model.load_state_dict(clean)
    except RuntimeError as error:
        raise ValueError("does not fit") from error
    return model.state_dict()
