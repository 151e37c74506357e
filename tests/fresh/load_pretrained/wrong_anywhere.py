# removes the words anywhere in the name
def load_pretrained(model, weights):
    clean = {name.replace("module.", "").replace("_orig_mod.", ""): w for name, w in weights.items()}
    try:
        model.load_state_dict(clean)
    except RuntimeError as error:
        raise ValueError("does not fit") from error
    return model.state_dict()
