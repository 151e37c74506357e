# returns a copy of the state from before
def load_pretrained(model, weights):
    before = copy.deepcopy(model.state_dict())
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    try:
        model.load_state_dict(clean)
    except RuntimeError as error:
        raise ValueError("does not fit") from error
    return before
