# toggles the mode: eval at the start, the opposite of eval at the end
@torch.no_grad()
def evaluate_accuracy(model, batches):
    for m in model.modules():
        m.training = not m.training
    right = sum((model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).sum().item() for b in batches)
    for m in model.modules():
        m.training = not m.training
    return right / sum(len(b["labels"]) for b in batches)
