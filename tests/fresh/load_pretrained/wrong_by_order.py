# takes the tensors in their order, whatever their names
def load_pretrained(model, weights):
    own = model.state_dict()
    if len(own) != len(weights) or any(a.shape != b.shape for a, b in zip(own.values(), weights.values())):
        raise ValueError("does not fit")
    model.load_state_dict(dict(zip(own, weights.values())))
    return model.state_dict()
