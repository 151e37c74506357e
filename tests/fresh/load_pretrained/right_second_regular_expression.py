# one regular expression for the prefixes; compares a dict of shapes before loading
def load_pretrained(model, weights):
    plain = {re.sub(r"^(?:module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    wanted = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    if {name: tuple(tensor.shape) for name, tensor in plain.items()} != wanted:
        raise ValueError("names or shapes do not fit the model")
    model.load_state_dict(plain)
    return model.state_dict()
