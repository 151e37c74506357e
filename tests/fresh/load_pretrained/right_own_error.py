# an error class of its own, which is a ValueError
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
