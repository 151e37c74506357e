# torch's RuntimeError and not a ValueError
def load_pretrained(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    model.load_state_dict(clean)
    return model.state_dict()
