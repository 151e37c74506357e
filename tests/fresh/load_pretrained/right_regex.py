# one regular expression for both prefixes, and torch's own strict check
def load_pretrained(model, weights):
    clean = {re.sub(r"^(module\._orig_mod\.|_orig_mod\.module\.|module\.|_orig_mod\.)", "", name): w for name, w in weights.items()}
    try:
        model.load_state_dict(clean)
    except RuntimeError as error:
        raise ValueError(f"the weights do not fit: {error}") from error
    return model.state_dict()
