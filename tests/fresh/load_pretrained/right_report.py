# strict=False, and a look at what it reports
def load_pretrained(model, weights):
    strip = lambda name: name.removeprefix("_orig_mod.").removeprefix("module.").removeprefix("_orig_mod.")
    try:
        report = model.load_state_dict({strip(name): w for name, w in weights.items()}, strict=False)
    except RuntimeError:
        raise ValueError("a shape does not fit")
    if report.missing_keys or report.unexpected_keys:
        raise ValueError(str(report))
    return model.state_dict()
