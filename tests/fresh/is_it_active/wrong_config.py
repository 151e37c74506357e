# reads the setting
def is_it_active(model, reference):
    return model.config.variant == reference.config.variant
