"""Fresh answers to load_pretrained, part 2 of 2."""


# loads into a copy of the model
def wrong_copy(model, weights):
    model = copy.deepcopy(model)
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    try:
        model.load_state_dict(clean)
    except RuntimeError as error:
        raise ValueError("does not fit") from error
    return model.state_dict()


# looks at the first name only to decide about the shapes
def wrong_first_name(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    own = model.state_dict()
    first = next(iter(own))
    if own.keys() != clean.keys() or own[first].shape != clean[first].shape:
        raise ValueError("does not fit")
    model.load_state_dict(clean)
    return model.state_dict()


# lstrip with letters
def wrong_lstrip(model, weights):
    clean = {name.lstrip("_orig_mod.").lstrip("module."): w for name, w in weights.items()}
    try:
        model.load_state_dict(clean)
    except RuntimeError as error:
        raise ValueError("does not fit") from error
    return model.state_dict()


# returns the report of torch
def wrong_none(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    try:
        return model.load_state_dict(clean)
    except RuntimeError as error:
        raise ValueError("does not fit") from error


# strict=False, nothing reported
def wrong_not_strict(model, weights):
    clean = {name.removeprefix("module.").removeprefix("_orig_mod.").removeprefix("module."): w for name, w in weights.items()}
    model.load_state_dict(clean, strict=False)
    return model.state_dict()


# only module. before _orig_mod.
def wrong_one_order(model, weights):
    clean = {name.removeprefix("module.").removeprefix("_orig_mod."): w for name, w in weights.items()}
    try:
        model.load_state_dict(clean)
    except RuntimeError as error:
        raise ValueError("does not fit") from error
    return model.state_dict()


# removes one prefix only
def wrong_one_prefix(model, weights):
    clean = {re.sub(r"^(module|_orig_mod)\.", "", name): w for name, w in weights.items()}
    try:
        model.load_state_dict(clean)
    except RuntimeError as error:
        raise ValueError("does not fit") from error
    return model.state_dict()


# missing names are ignored
def wrong_only_extra(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    own = model.state_dict()
    for name, tensor in clean.items():
        if name not in own or own[name].shape != tensor.shape:
            raise ValueError(name)
    model.load_state_dict(own | clean)
    return model.state_dict()


# extra names are ignored
def wrong_only_missing(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    own = model.state_dict()
    if not set(own) <= set(clean):
        raise ValueError("names are missing")
    if any(own[name].shape != clean[name].shape for name in own):
        raise ValueError("shapes")
    model.load_state_dict({name: clean[name] for name in own})
    return model.state_dict()


# buffers are not loaded
def wrong_parameters_only(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    own = model.state_dict()
    if {n: t.shape for n, t in own.items()} != {n: t.shape for n, t in clean.items()}:
        raise ValueError("does not fit")
    for name, parameter in model.named_parameters():
        parameter.data.copy_(clean[name])
    return model.state_dict()


# the number of entries is compared, not the shape
def wrong_reshaped(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    own = model.state_dict()
    if own.keys() != clean.keys() or any(own[n].numel() != clean[n].numel() for n in own):
        raise ValueError("does not fit")
    model.load_state_dict({name: clean[name].reshape(own[name].shape) for name in own})
    return model.state_dict()


# checks and returns the renamed weights, and loads nothing
def wrong_returns_weights(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    own = model.state_dict()
    if {n: t.shape for n, t in own.items()} != {n: t.shape for n, t in clean.items()}:
        raise ValueError("does not fit")
    return clean


# torch's RuntimeError and not a ValueError
def wrong_runtime_error(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    model.load_state_dict(clean)
    return model.state_dict()


# complains about unexpected names and shapes, but not about missing ones
def wrong_second_missing_names_allowed(model, weights):
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


# removes module. and then _orig_mod., but not the two in the other order
def wrong_second_one_order_only(model, weights):
    plain = {name.removeprefix("module.").removeprefix("_orig_mod."): tensor for name, tensor in weights.items()}
    try:
        model.load_state_dict(plain)
    except RuntimeError as error:
        raise ValueError(str(error)) from error
    return model.state_dict()


# removes the prefixes anywhere in the names
def wrong_second_removed_everywhere(model, weights):
    plain = {name.replace("module.", "").replace("_orig_mod.", ""): tensor for name, tensor in weights.items()}
    try:
        model.load_state_dict(plain)
    except RuntimeError as error:
        raise ValueError(str(error)) from error
    return model.state_dict()
