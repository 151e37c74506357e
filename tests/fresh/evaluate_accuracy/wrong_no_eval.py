# dropout stays on
@torch.no_grad()
def evaluate_accuracy(model, batches):
    right = sum((model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).sum().item() for b in batches)
    return right / sum(len(b["labels"]) for b in batches)
