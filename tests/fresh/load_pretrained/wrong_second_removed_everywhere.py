# removes the prefixes anywhere in the names
def load_pretrained(model, weights):
    plain = {name.replace("module.", "").replace("_orig_mod.", ""): tensor for name, tensor in weights.items()}
    try:
        model.load_state_dict(plain)
    except RuntimeError as error:
        raise ValueError(str(error)) from error
    return model.state_dict()
