# strict=False, nothing reported
def load_pretrained(model, weights):
    clean = {name.removeprefix("module.").removeprefix("_orig_mod.").removeprefix("module."): w for name, w in weights.items()}
    model.load_state_dict(clean, strict=False)
    return model.state_dict()
