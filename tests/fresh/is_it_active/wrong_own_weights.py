# compares the outputs with different weights
def is_it_active(model, reference):
    model.eval(), reference.eval()
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-4)
