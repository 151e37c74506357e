# an ordered dictionary, built by popping from a copy
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
    if want != {name: tensor.shape for name, tensor in clean.items()}:
        raise ValueError("names or shapes differ")
    model.load_state_dict(clean)
    return model.state_dict()
