# a recursive helper for names; copies tensor by tensor under no_grad
def load_pretrained(model, weights):
    def bare(name):
        for prefix in ("module.", "_orig_mod."):
            if name.startswith(prefix):
                return bare(name[len(prefix) :])
        return name

    own = model.state_dict()
    given = {bare(name): tensor for name, tensor in weights.items()}
    missing, extra = own.keys() - given.keys(), given.keys() - own.keys()
    misfits = [name for name in own.keys() & given.keys() if own[name].shape != given[name].shape]
    if missing or extra or misfits:
        raise ValueError(f"missing {sorted(missing)}, unexpected {sorted(extra)}, other shapes {misfits}")
    with torch.no_grad():
        for name, place in own.items():
            place.copy_(given[name])
    return model.state_dict()
