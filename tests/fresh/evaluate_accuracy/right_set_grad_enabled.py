# switches recording by hand and sets it back
def evaluate_accuracy(model, batches):
    training, recording = model.training, torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    model.eval()
    right, total = 0, 0
    for b in batches:
        guess = model(b["input_ids"], b["attention_mask"]).argsort(dim=1, descending=True)[:, 0]
        right += int((guess == b["labels"]).sum())
        total += b["labels"].shape[0]
    model.train(training)
    torch.set_grad_enabled(recording)
    return right / total
