# removes module. and then _orig_mod., but not the two in the other order
def load_pretrained(model, weights):
    plain = {name.removeprefix("module.").removeprefix("_orig_mod."): tensor for name, tensor in weights.items()}
    try:
        model.load_state_dict(plain)
    except RuntimeError as error:
        raise ValueError(str(error)) from error
    return model.state_dict()
