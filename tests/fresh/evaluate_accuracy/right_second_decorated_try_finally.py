# a no_grad decorator, the mode restored in finally, counting in plain Python
@torch.no_grad()
def evaluate_accuracy(model, batches):
    before = model.training
    model.eval()
    right = seen = 0
    try:
        for batch in batches:
            scores = model(batch["input_ids"], batch["attention_mask"]).tolist()
            for row, label in zip(scores, batch["labels"].tolist()):
                right += max(range(len(row)), key=row.__getitem__) == label
                seen += 1
    finally:
        model.train(before)
    return right / seen
