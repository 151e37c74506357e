# turns off the mode of the direct children only, and sets it back there
@torch.no_grad()
def evaluate_accuracy(model, batches):
    was = model.training
    model.eval()
    right = sum((model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).sum().item() for b in batches)
    for child in model.children():
        child.train(was)
    return right / sum(len(b["labels"]) for b in batches)
