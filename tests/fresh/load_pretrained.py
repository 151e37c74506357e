"""Fresh answers to load_pretrained."""

# compares names and shapes, then copies tensor by tensor
def right_by_hand(model, weights):
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
        for name, tensor in own.items(): tensor.copy_(found[name])
    return own

# an ordered dictionary, built by popping from a copy
right_ordered = """
from collections import OrderedDict
def load_pretrained(model, weights):
    rest = dict(weights)
    clean = OrderedDict()
    while rest:
        name, tensor = rest.popitem()
        key = name
        changed = True
        while changed:
            changed = False
            for prefix in ["module.", "_orig_mod."]:
                if key.startswith(prefix):
                    key, changed = key[len(prefix):], True
        clean[key] = tensor
    want = {name: tensor.shape for name, tensor in model.state_dict().items()}
    if want != {name: tensor.shape for name, tensor in clean.items()}: raise ValueError("names or shapes differ")
    model.load_state_dict(clean)
    return model.state_dict()
"""

# an error class of its own, which is a ValueError
right_own_error = """
class DoesNotFit(ValueError):
    pass
def load_pretrained(model, weights):
    names = []
    for name in weights:
        parts = name.split(".")
        while len(parts) > 1 and parts[0] in ("module", "_orig_mod"):
            parts = parts[1:]
        names.append(".".join(parts))
    clean = dict(zip(names, weights.values()))
    have, want = model.state_dict(), clean
    if have.keys() != want.keys() or any(have[n].shape != want[n].shape for n in have):
        raise DoesNotFit("other names or shapes")
    model.load_state_dict(clean, strict=True)
    return model.state_dict()
"""

# parameters and buffers by their names
def right_parameters(model, weights):
    clean = {}
    for name, tensor in weights.items():
        for prefix in ("module._orig_mod.", "_orig_mod.module.", "module.", "_orig_mod."):
            if name.startswith(prefix):
                name = name[len(prefix):]
                break
        clean[name] = tensor
    target = model.state_dict(keep_vars=True)
    problems = [n for n in {**target, **clean} if n not in target or n not in clean or target[n].shape != clean[n].shape]
    if problems:
        raise ValueError("these do not fit: " + ", ".join(problems))
    for name, tensor in target.items(): tensor.data = clean[name].detach().clone().to(tensor.dtype)
    return model.state_dict()

# one regular expression for both prefixes, and torch's own strict check
def right_regex(model, weights):
    clean = {re.sub(r"^(module\._orig_mod\.|_orig_mod\.module\.|module\.|_orig_mod\.)", "", name): w for name, w in weights.items()}
    try:
        model.load_state_dict(clean)
    except RuntimeError as error:
        raise ValueError(f"the weights do not fit: {error}") from error
    return model.state_dict()

# strict=False, and a look at what it reports
def right_report(model, weights):
    strip = lambda name: name.removeprefix("_orig_mod.").removeprefix("module.").removeprefix("_orig_mod.")
    try:
        report = model.load_state_dict({strip(name): w for name, w in weights.items()}, strict=False)
    except RuntimeError:
        raise ValueError("a shape does not fit")
    if report.missing_keys or report.unexpected_keys: raise ValueError(str(report))
    return model.state_dict()

# a recursive helper for names; copies tensor by tensor under no_grad
def right_second_recursive_and_copied(model, weights):
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
        for name, place in own.items(): place.copy_(given[name])
    return model.state_dict()

# one regular expression for the prefixes; compares a dict of shapes before loading
def right_second_regular_expression(model, weights):
    plain = {re.sub(r"^(?:module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    wanted = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    if {name: tuple(tensor.shape) for name, tensor in plain.items()} != wanted:
        raise ValueError("names or shapes do not fit the model")
    model.load_state_dict(plain)
    return model.state_dict()

# removes the first part of every name, whatever it is, if the names do not fit
def wrong_any_first_part(model, weights):
    own = model.state_dict()
    while weights.keys() != own.keys():
        if all("." not in name for name in weights): raise ValueError("does not fit")
        weights = {name.split(".", 1)[-1]: tensor for name, tensor in weights.items()}
    if any(own[n].shape != weights[n].shape for n in own): raise ValueError("does not fit")
    model.load_state_dict(weights)
    return model.state_dict()

# removes the words anywhere in the name
def wrong_anywhere(model, weights):
    clean = {name.replace("module.", "").replace("_orig_mod.", ""): w for name, w in weights.items()}
    try:
        model.load_state_dict(clean)
    except RuntimeError as error:
        raise ValueError("does not fit") from error
    return model.state_dict()

# an AssertionError
def wrong_assertion(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    own = model.state_dict()
    assert own.keys() == clean.keys() and all(own[n].shape == clean[n].shape for n in own), "does not fit"
    model.load_state_dict(clean)
    return model.state_dict()

# returns a copy of the state from before
def wrong_before(model, weights):
    before = copy.deepcopy(model.state_dict())
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    try:
        model.load_state_dict(clean)
    except RuntimeError as error:
        raise ValueError("does not fit") from error
    return before

# copies without a look at the shapes, so one number fills a whole tensor
def wrong_broadcast(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    own = model.state_dict()
    if own.keys() != clean.keys(): raise ValueError("names")
    for name, tensor in own.items():
        try:
            tensor.copy_(clean[name])
        except RuntimeError as error:
            raise ValueError("shapes") from error
    return model.state_dict()

# takes the tensors in their order, whatever their names
def wrong_by_order(model, weights):
    own = model.state_dict()
    if len(own) != len(weights) or any(a.shape != b.shape for a, b in zip(own.values(), weights.values())):
        raise ValueError("does not fit")
    model.load_state_dict(dict(zip(own, weights.values())))
    return model.state_dict()

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
    if own.keys() != clean.keys() or own[first].shape != clean[first].shape: raise ValueError("does not fit")
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
        if name not in own or own[name].shape != tensor.shape: raise ValueError(name)
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

# returns the file's tensors: "return model.state_dict()"
def wrong_returns_file(model, weights):
    clean = {}
    for name, tensor in weights.items():
        while name.startswith(("module.", "_orig_mod.")):
            name = name.partition(".")[2]
        clean[name] = tensor
    try:
        model.load_state_dict(clean)
    except RuntimeError as error:
        raise ValueError(str(error)) from None
    return clean

# compares named_parameters only: buffers of state_dict (such as running means) are not loaded and refused
def wrong_parameters_only_2(model, weights):
    clean = {}
    for name, tensor in weights.items():
        while name.startswith(("module.", "_orig_mod.")):
            name = name.partition(".")[2]
        clean[name] = tensor
    own = dict(model.named_parameters())
    if clean.keys() != own.keys() or any(clean[n].shape != own[n].shape for n in own):
        raise ValueError("does not fit")
    with torch.no_grad():
        for name, parameter in own.items():
            parameter.copy_(clean[name])
    return model.state_dict()
