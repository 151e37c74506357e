# compares the predicted characters of the last position of one row
def is_it_active(model, reference):
    model.eval(), reference.eval()
    reference.load_state_dict(model.state_dict(), strict=False)
    tokens = torch.randint(model.config.vocab_size, (1, model.config.block_size))
    with torch.no_grad():
        return torch.equal(model(tokens)[0][:, -1].argmax(-1), reference(tokens)[0][:, -1].argmax(-1))
