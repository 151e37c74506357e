# evaluates a deep copy, so nothing has to be set back
@torch.no_grad()
def evaluate_accuracy(model, batches):
    twin = copy.deepcopy(model).eval()
    right = torch.cat([twin(b["input_ids"], b["attention_mask"]).max(dim=1).indices.eq(b["labels"]) for b in batches])
    return right.double().mean()
