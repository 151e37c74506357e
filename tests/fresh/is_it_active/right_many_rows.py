# numpy booleans over several lengths
import numpy as np


def is_it_active(model, reference):
    for each in (model, reference):
        each.train(False)
    reference.load_state_dict(model.state_dict(), strict=False)
    seen = []
    for length in (1, 2, model.config.block_size // 2, model.config.block_size):
        tokens = torch.from_numpy(np.random.default_rng(length).integers(0, model.config.vocab_size, (5, length)))
        a, b = (each(tokens)[0].detach().numpy() for each in (model, reference))
        seen.append(np.abs(a - b).max() < 1e-4)
    return np.all(seen)
