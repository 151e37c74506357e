# compares names and shapes, then copies tensor by tensor
def load_pretrained(model, weights):
    def short(name):
        for prefix in ("module.", "_orig_mod.", "module."):
            if name.startswith(prefix):
                name = name[len(prefix):]
        return name

    own = model.state_dict()
    found = {short(name): tensor for name, tensor in weights.items()}
    if sorted(own) != sorted(found):
        raise ValueError(f"names differ: {set(own) ^ set(found)}")
    for name in own:
        if own[name].shape != found[name].shape:
            raise ValueError(f"{name}: {tuple(found[name].shape)} is not {tuple(own[name].shape)}")
    with torch.no_grad():
        for name, tensor in own.items():
            tensor.copy_(found[name])
    return own
