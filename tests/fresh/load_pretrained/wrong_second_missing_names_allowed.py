# complains about unexpected names and shapes, but not about missing ones
def load_pretrained(model, weights):
    own = model.state_dict()
    plain = {}
    for name, tensor in weights.items():
        while name.startswith(("module.", "_orig_mod.")):
            name = name.split(".", 1)[1]
        if name not in own or own[name].shape != tensor.shape:
            raise ValueError(f"{name} does not fit")
        plain[name] = tensor
    model.load_state_dict(plain, strict=False)
    return model.state_dict()
