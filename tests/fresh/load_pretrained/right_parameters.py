# parameters and buffers by their names
def load_pretrained(model, weights):
    clean = {}
    for name, tensor in weights.items():
        for prefix in ("module._orig_mod.", "_orig_mod.module.", "module.", "_orig_mod."):
            if name.startswith(prefix):
                name = name[len(prefix):]
                break
        clean[name] = tensor
    target = model.state_dict(keep_vars=True)
    problems = [n for n in {**target, **clean} if n not in target or n not in clean or target[n].shape != clean[n].shape]
    if problems:
        raise ValueError("these do not fit: " + ", ".join(problems))
    for name, tensor in target.items():
        tensor.data = clean[name].detach().clone().to(tensor.dtype)
    return model.state_dict()
