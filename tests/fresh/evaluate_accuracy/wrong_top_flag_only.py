# sets back only the flag of the model itself, not of its parts
@torch.no_grad()
def evaluate_accuracy(model, batches):
    was = model.training
    model.eval()
    right = sum((model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).sum().item() for b in batches)
    model.training = was
    return right / sum(len(b["labels"]) for b in batches)
