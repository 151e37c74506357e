# leaves the model in training mode, also if it came in evaluation mode
def evaluate_accuracy(model, batches):
    model.eval()
    right = total = 0
    with torch.no_grad():
        for batch in batches:
            said = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
            right += int((said == batch["labels"]).sum())
            total += len(said)
    model.train()
    return right / total
