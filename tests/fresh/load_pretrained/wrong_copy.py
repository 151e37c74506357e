# loads into a copy of the model
def load_pretrained(model, weights):
    model = copy.deepcopy(model)
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    try:
        model.load_state_dict(clean)
    except RuntimeError as error:
        raise ValueError("does not fit") from error
    return model.state_dict()
