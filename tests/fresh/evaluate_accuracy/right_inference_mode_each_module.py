# remembers the mode of every module, inference mode, a generator of sums
def evaluate_accuracy(model, batches):
    modes = {module: module.training for module in model.modules()}
    for module in modes:
        module.training = False
    with torch.inference_mode():
        hits = [(model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).tolist() for b in batches]
    for module, mode in modes.items():
        module.training = mode
    return sum(map(sum, hits)) / sum(map(len, hits))
