# a different input for each
def is_it_active(model, reference):
    model.eval(), reference.eval()
    reference.load_state_dict(model.state_dict(), strict=False)

    def run(each):
        with torch.no_grad():
            return each(torch.randint(model.config.vocab_size, (4, model.config.block_size)))[0]

    return torch.allclose(run(model), run(reference), atol=1e-4)
