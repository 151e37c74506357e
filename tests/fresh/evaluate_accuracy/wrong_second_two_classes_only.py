# asks whether logit 1 is larger than logit 0, which is right for two classes only
def evaluate_accuracy(model, batches):
    before = model.training
    model.eval()
    right = total = 0
    with torch.no_grad():
        for batch in batches:
            logits = model(batch["input_ids"], batch["attention_mask"])
            right += ((logits[:, 1] > logits[:, 0]).long() == batch["labels"]).sum().item()
            total += batch["labels"].numel()
    model.train(before)
    return right / total
