# compares the names of the variants in the configurations
def is_it_active(model, reference):
    return model.config.variant == reference.config.variant
