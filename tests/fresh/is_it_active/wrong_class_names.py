# compares the classes of the attention layers
def is_it_active(model, reference):
    return all(type(a.attention) is type(b.attention) for a, b in zip(model.blocks, reference.blocks))
