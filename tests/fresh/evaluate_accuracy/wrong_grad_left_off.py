# turns recording off for the whole program and leaves it off
def evaluate_accuracy(model, batches):
    torch.set_grad_enabled(False)
    was = model.training
    model.eval()
    right = sum((model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).sum().item() for b in batches)
    model.train(was)
    return right / sum(len(b["labels"]) for b in batches)
