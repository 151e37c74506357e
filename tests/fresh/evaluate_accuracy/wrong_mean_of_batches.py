# the mean of the accuracies of the batches
@torch.no_grad()
def evaluate_accuracy(model, batches):
    was = model.training
    model.eval()
    found = [(model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).float().mean().item() for b in batches]
    model.train(was)
    return statistics.fmean(found)
