# returns the report of torch
def load_pretrained(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    try:
        return model.load_state_dict(clean)
    except RuntimeError as error:
        raise ValueError("does not fit") from error
