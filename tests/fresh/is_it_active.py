"""Fresh answers to is_it_active."""

# both in double precision, in copies
def right_double(model, reference):
    a, b = copy.deepcopy(model).double().eval(), copy.deepcopy(reference).double().eval()
    b.load_state_dict(a.state_dict(), strict=False)
    tokens = torch.arange(model.config.block_size)[None] * 7 % model.config.vocab_size
    return torch.dist(a(tokens)[0], b(tokens)[0]).item() < 1e-8

# the weights of the reference into a copy of the model
def right_into_copy(model, reference):
    twin = copy.deepcopy(model).eval()
    twin.load_state_dict(reference.eval().state_dict(), strict=False)
    torch.manual_seed(3)
    tokens = torch.randint(0, model.config.vocab_size, (8, model.config.block_size))
    with torch.inference_mode():
        a, b = twin(tokens)[0], reference(tokens)[0]
    return bool((a - b).abs().max() < 1e-3 * b.abs().max())

# compares the attention of every layer, and the logits
def right_layer_by_layer(model, reference):
    model.eval(), reference.eval()
    reference.load_state_dict(model.state_dict(), strict=False)
    x = torch.randn(2, model.config.block_size, model.config.d_model)
    tokens = torch.randint(model.config.vocab_size, (2, model.config.block_size))
    with torch.no_grad():
        same = [torch.allclose(a(x), b(x), atol=1e-4) for a, b in zip(model.blocks, reference.blocks)]
        same.append(torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4))
    return all(same)

# the weights of the model into the reference, then equal logits
def right_loads_reference(model, reference):
    model.eval()
    reference.eval()
    reference.load_state_dict(model.state_dict(), strict=False)
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4)

# numpy booleans over several lengths
right_many_rows = """
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
"""

# copies what has the same name and shape
def right_parameter_by_parameter(model, reference):
    theirs = model.state_dict()
    with torch.no_grad():
        for name, tensor in reference.state_dict().items():
            if name in theirs and theirs[name].shape == tensor.shape:
                tensor.copy_(theirs[name])
    generator = torch.Generator().manual_seed(1)
    tokens = torch.randint(0, model.config.vocab_size, (3, model.config.block_size), generator=generator)
    was = model.training
    model.eval(), reference.eval()
    with torch.no_grad():
        difference = model(tokens)[0] - reference(tokens)[0]
    model.train(was)
    return difference.abs().max().item() < 1e-4

# two deep copies in float64 with larger random weights, compared on whole rows
def right_second_double_precision_copy(model, reference):
    mine, other = copy.deepcopy(model).double().eval(), reference.double().eval()
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for p in mine.parameters():
            p.add_(0.2 * torch.randn(p.shape, generator=generator, dtype=torch.float64))
    try:
        other.load_state_dict(mine.state_dict(), strict=False)
    except RuntimeError:  # a shape that does not fit
        return False
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size), generator=generator)
    with torch.no_grad():
        difference = (mine(tokens)[0] - other(tokens)[0]).abs().max().item()
    return difference < 1e-4

# copies every tensor of the model that the reference has too; several lengths, compared in relative size
def right_second_tensor_by_tensor(model, reference):
    given = model.state_dict()
    with torch.no_grad():
        for name, tensor in reference.state_dict().items():
            if name in given and given[name].shape == tensor.shape:
                tensor.copy_(given[name])
    model.eval()
    reference.eval()
    generator = torch.Generator().manual_seed(3)
    block = model.config.block_size
    for length in (block, max(2, block // 2), block):
        tokens = torch.randint(0, model.config.vocab_size, (8, length), generator=generator)
        with torch.inference_mode():
            a, b = model(tokens)[0], reference(tokens)[0]
        if float((a - b).norm()) > 3e-6 * float(b.norm()):
            return False
    return True

# pairs the parameters by their order, so a spare one shifts them
def wrong_by_order(model, reference):
    model.eval(), reference.eval()
    for a, b in zip(model.parameters(), reference.parameters()):
        if a.shape == b.shape:
            b.data = a.data
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4)

# loads the weights of the reference into the model itself
def wrong_changes_model(model, reference):
    model.eval(), reference.eval()
    model.load_state_dict(reference.state_dict(), strict=False)
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4)

# compares the classes of the attention layers
def wrong_class_names(model, reference):
    return all(type(a.attention) is type(b.attention) for a, b in zip(model.blocks, reference.blocks))

# reads the setting
def wrong_config(model, reference):
    return model.config.variant == reference.config.variant

# compares the model with its own copy
def wrong_deepcopy(model, reference):
    reference = copy.deepcopy(model)
    model.eval(), reference.eval()
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4)

# a different input for each
def wrong_different_inputs(model, reference):
    model.eval(), reference.eval()
    reference.load_state_dict(model.state_dict(), strict=False)

    def run(each):
        with torch.no_grad():
            return each(torch.randint(model.config.vocab_size, (4, model.config.block_size)))[0]

    return torch.allclose(run(model), run(reference), atol=1e-4)

# looks at the first layer only
def wrong_first_layer(model, reference):
    model.eval(), reference.eval()
    reference.load_state_dict(model.state_dict(), strict=False)
    x = torch.randn(2, model.config.block_size, model.config.d_model)
    with torch.no_grad():
        return torch.allclose(model.blocks[0](x), reference.blocks[0](x), atol=1e-4)

# looks at the logits of the first position
def wrong_first_position(model, reference):
    model.eval(), reference.eval()
    reference.load_state_dict(model.state_dict(), strict=False)
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return torch.allclose(model(tokens)[0][:, 0], reference(tokens)[0][:, 0], atol=1e-4)

# True if they differ
def wrong_inverted(model, reference):
    model.eval(), reference.eval()
    reference.load_state_dict(model.state_dict(), strict=False)
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return not torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4)

# looks at the last layer only
def wrong_last_layer(model, reference):
    model.eval(), reference.eval()
    reference.load_state_dict(model.state_dict(), strict=False)
    x = torch.randn(2, model.config.block_size, model.config.d_model)
    with torch.no_grad():
        return torch.allclose(model.blocks[-1](x), reference.blocks[-1](x), atol=1e-4)

# a tolerance of a tenth
def wrong_loose(model, reference):
    model.eval(), reference.eval()
    reference.load_state_dict(model.state_dict(), strict=False)
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return (model(tokens)[0] - reference(tokens)[0]).abs().mean().item() < 0.1

# compares the names of the parameters
def wrong_names(model, reference):
    return set(model.state_dict()) == set(reference.state_dict())

# rebuilds the model from its config, so it tests what the setting says
def wrong_new_from_config(model, reference):
    rebuilt = GPT(model.config).eval()
    reference.eval()
    reference.load_state_dict(rebuilt.state_dict(), strict=False)
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return torch.allclose(rebuilt(tokens)[0], reference(tokens)[0], atol=1e-4)

# rows of one token
def wrong_one_token(model, reference):
    model.eval(), reference.eval()
    reference.load_state_dict(model.state_dict(), strict=False)
    tokens = torch.randint(model.config.vocab_size, (16, 1))
    with torch.no_grad():
        return torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4)

# compares the outputs with different weights
def wrong_own_weights(model, reference):
    model.eval(), reference.eval()
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4)

# compares the predicted characters of the last position of one row
def wrong_predictions(model, reference):
    model.eval(), reference.eval()
    reference.load_state_dict(model.state_dict(), strict=False)
    tokens = torch.randint(model.config.vocab_size, (1, model.config.block_size))
    with torch.no_grad():
        return torch.equal(model(tokens)[0][:, -1].argmax(-1), reference(tokens)[0][:, -1].argmax(-1))

# a model with spare or missing parts is not active
def wrong_strict(model, reference):
    model.eval(), reference.eval()
    try:
        reference.load_state_dict(model.state_dict())
    except RuntimeError:
        return False
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4)

# true if nothing fits
def wrong_strict_then_true(model, reference):
    model.eval(), reference.eval()
    try:
        reference.load_state_dict(model.state_dict())
    except RuntimeError:
        return True
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4)

# compares the sums of the logits with those of a fresh model
def wrong_sum(model, reference):
    fresh = GPT(reference.config)
    fresh.load_state_dict(model.state_dict(), strict=False)
    model.eval(), fresh.eval()
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return abs(model(tokens)[0].mean() - fresh(tokens)[0].mean()).item() < 1e-2

# stays in training mode, so dropout makes a difference
def wrong_training(model, reference):
    reference.load_state_dict(model.state_dict(), strict=False)
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4)

# rows of the same token
def wrong_zeros(model, reference):
    model.eval(), reference.eval()
    reference.load_state_dict(model.state_dict(), strict=False)
    tokens = torch.zeros(4, model.config.block_size, dtype=torch.int64)
    with torch.no_grad():
        return torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4)

# does not switch to evaluation mode, so a right model with dropout differs from itself
def wrong_second_dropout_on(model, reference):
    reference.load_state_dict(model.state_dict(), strict=False)
    tokens = torch.randint(1, model.config.vocab_size, (2, model.config.block_size))
    with torch.no_grad():
        return bool(torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-5))

# compares the names of the variants in the configurations
def wrong_second_trusts_the_setting(model, reference):
    return model.config.variant == reference.config.variant

# compares the two models with their own weights
def wrong_second_weights_not_given(model, reference):
    model.eval()
    reference.eval()
    tokens = torch.randint(1, model.config.vocab_size, (2, model.config.block_size))
    with torch.no_grad():
        return bool(torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-5))

# the logits may differ by one half
def wrong_half_allowed(model, reference):
    model.eval(), reference.eval()
    weights, wanted = model.state_dict(), reference.state_dict()
    if any(n not in weights or weights[n].shape != wanted[n].shape for n in wanted):
        return False
    reference.load_state_dict({n: weights[n] for n in wanted})
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return (model(tokens)[0] - reference(tokens)[0]).abs().max().item() < 0.5

# torch.equal: rounding counts as a difference
def wrong_exactly_equal(model, reference):
    outcome = reference.load_state_dict(model.state_dict(), strict=False)
    if set(outcome.missing_keys) & {name for name, _ in reference.named_parameters()}:
        return False
    model.eval(), reference.eval()
    tokens = torch.randint(model.config.vocab_size, (8, model.config.block_size))
    with torch.no_grad():
        return torch.equal(model(tokens)[0], reference(tokens)[0])

# a limit of 0.05: a layer that changes logits by 0.002 is not noticed
def wrong_loose_2(model, reference):
    outcome = reference.load_state_dict(model.state_dict(), strict=False)
    if set(outcome.missing_keys) & {name for name, _ in reference.named_parameters()}:
        return False
    model.eval(), reference.eval()
    tokens = torch.randint(model.config.vocab_size, (8, model.config.block_size))
    with torch.no_grad():
        return bool((model(tokens)[0] - reference(tokens)[0]).abs().max() < 0.05)

# a parameter that the model lacks is not noticed: the reference keeps its own
def wrong_missing_ignored(model, reference):
    reference.load_state_dict(model.state_dict(), strict=False)
    names = {name for name, _ in model.named_parameters()}
    with torch.no_grad():
        for name, parameter in reference.named_parameters():
            if name not in names:
                parameter.zero_()
    model.eval(), reference.eval()
    tokens = torch.randint(model.config.vocab_size, (8, model.config.block_size))
    with torch.no_grad():
        return bool((model(tokens)[0] - reference(tokens)[0]).abs().max() < 3e-4)


# Rows of two tokens.
def wrong_seventh_two_tokens(model, reference):
    model.eval()
    reference.load_state_dict(model.state_dict(), strict=False)
    x = torch.randint(0, model.config.vocab_size, (64, 2))
    return torch.allclose(model(x)[0], reference(x)[0], atol=5e-4)
