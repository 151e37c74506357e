# takes class 1 if the second logit is positive
@torch.no_grad()
def evaluate_accuracy(model, batches):
    was = model.training
    model.eval()
    right = sum(((model(b["input_ids"], b["attention_mask"])[:, 1] > 0).long() == b["labels"]).sum().item() for b in batches)
    model.train(was)
    return right / sum(len(b["labels"]) for b in batches)
