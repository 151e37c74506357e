# compares the names of the parameters
def is_it_active(model, reference):
    return set(model.state_dict()) == set(reference.state_dict())
