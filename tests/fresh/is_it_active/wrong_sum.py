# compares the sums of the logits with those of a fresh model
def is_it_active(model, reference):
    fresh = GPT(reference.config)
    fresh.load_state_dict(model.state_dict(), strict=False)
    model.eval(), fresh.eval()
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return abs(model(tokens)[0].mean() - fresh(tokens)[0].mean()).item() < 1e-2
