# removes the first part of every name, whatever it is, if the names do not fit
def load_pretrained(model, weights):
    own = model.state_dict()
    while weights.keys() != own.keys():
        if all("." not in name for name in weights):
            raise ValueError("does not fit")
        weights = {name.split(".", 1)[-1]: tensor for name, tensor in weights.items()}
    if any(own[n].shape != weights[n].shape for n in own):
        raise ValueError("does not fit")
    model.load_state_dict(weights)
    return model.state_dict()
