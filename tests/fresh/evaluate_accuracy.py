"""Fresh answers to evaluate_accuracy."""


# a context manager for the mode; numpy compares
right_contextmanager = """
from contextlib import contextmanager

@contextmanager
def evaluating(model):
    before = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield model
    finally:
        model.train(before)

def evaluate_accuracy(model, batches):
    right = total = 0
    with evaluating(model):
        for b in batches:
            logits = model(b["input_ids"], b["attention_mask"]).numpy()
            right += np.sum(np.argmax(logits, axis=1) == b["labels"].numpy())
            total += len(logits)
    return right / total
"""


# evaluates a deep copy, so nothing has to be set back
right_copy_of_model = """
@torch.no_grad()
def evaluate_accuracy(model, batches):
    twin = copy.deepcopy(model).eval()
    right = torch.cat([twin(b["input_ids"], b["attention_mask"]).max(dim=1).indices.eq(b["labels"]) for b in batches])
    return right.double().mean()
"""


# the mean of a float32 tensor
def right_float32_mean(model, batches):
    was = model.training
    model.eval()
    with torch.no_grad():
        right = torch.cat([(model(b["input_ids"], b["attention_mask"]).topk(1).indices[:, 0] == b["labels"]).float() for b in batches])
    model.train(was)
    return right.mean().item()


# remembers the mode of every module, inference mode, a generator of sums
def right_inference_mode_each_module(model, batches):
    modes = {module: module.training for module in model.modules()}
    for module in modes:
        module.training = False
    with torch.inference_mode():
        hits = [(model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).tolist() for b in batches]
    for module, mode in modes.items():
        module.training = mode
    return sum(map(sum, hits)) / sum(map(len, hits))


# switches recording by hand and sets it back
def right_set_grad_enabled(model, batches):
    training, recording = model.training, torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    model.eval()
    right, total = 0, 0
    for b in batches:
        guess = model(b["input_ids"], b["attention_mask"]).argsort(dim=1, descending=True)[:, 0]
        right += int((guess == b["labels"]).sum())
        total += b["labels"].shape[0]
    model.train(training)
    torch.set_grad_enabled(recording)
    return right / total


# a no_grad decorator, the mode restored in finally, counting in plain Python
right_second_decorated_try_finally = """
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
"""


# inference mode; all hits joined into one tensor; every part gets back its own mode
def right_second_inference_mode_concatenated(model, batches):
    modes = [(part, part.training) for part in model.modules()]
    model.eval()
    with torch.inference_mode():
        hits = [model(each["input_ids"], each["attention_mask"]).max(dim=-1).indices.eq(each["labels"]) for each in batches]
        share = torch.cat(hits).double().mean().item()
    for part, mode in modes:
        part.training = mode
    return share


# always ends in training mode
wrong_always_train = """
@torch.no_grad()
def evaluate_accuracy(model, batches):
    model.eval()
    right = sum((model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).sum().item() for b in batches)
    model.train()
    return right / sum(len(b["labels"]) for b in batches)
"""


# divides by number of batches times the size of the first
wrong_batch_size_of_first = """
@torch.no_grad()
def evaluate_accuracy(model, batches):
    was = model.training
    model.eval()
    right = sum((model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).sum().item() for b in batches)
    model.train(was)
    return right / (len(batches) * len(batches[0]["labels"]))
"""


# turns off the mode of the direct children only, and sets it back there
wrong_children_only = """
@torch.no_grad()
def evaluate_accuracy(model, batches):
    was = model.training
    model.eval()
    right = sum((model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).sum().item() for b in batches)
    for child in model.children():
        child.train(was)
    return right / sum(len(b["labels"]) for b in batches)
"""


# compares only the first two logits
wrong_first_against_second = """
@torch.no_grad()
def evaluate_accuracy(model, batches):
    was = model.training
    model.eval()
    right = total = 0
    for b in batches:
        z = model(b["input_ids"], b["attention_mask"])
        right += ((z[:, 1] > z[:, 0]).long() == b["labels"]).sum().item()
        total += len(z)
    model.train(was)
    return right / total
"""


# toggles the mode: eval at the start, the opposite of eval at the end
wrong_forgets_after_error = """
@torch.no_grad()
def evaluate_accuracy(model, batches):
    for m in model.modules():
        m.training = not m.training
    right = sum((model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).sum().item() for b in batches)
    for m in model.modules():
        m.training = not m.training
    return right / sum(len(b["labels"]) for b in batches)
"""


# turns recording off for the whole program and leaves it off
def wrong_grad_left_off(model, batches):
    torch.set_grad_enabled(False)
    was = model.training
    model.eval()
    right = sum((model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).sum().item() for b in batches)
    model.train(was)
    return right / sum(len(b["labels"]) for b in batches)


# the mean of the accuracies of the batches
wrong_mean_of_batches = """
@torch.no_grad()
def evaluate_accuracy(model, batches):
    was = model.training
    model.eval()
    found = [(model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).float().mean().item() for b in batches]
    model.train(was)
    return statistics.fmean(found)
"""


# dropout stays on
wrong_no_eval = """
@torch.no_grad()
def evaluate_accuracy(model, batches):
    right = sum((model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).sum().item() for b in batches)
    return right / sum(len(b["labels"]) for b in batches)
"""


# forgets the mask
wrong_no_mask = """
@torch.no_grad()
def evaluate_accuracy(model, batches):
    was = model.training
    model.eval()
    right = sum((model(b["input_ids"], torch.ones_like(b["input_ids"])).argmax(-1) == b["labels"]).sum().item() for b in batches)
    model.train(was)
    return right / sum(len(b["labels"]) for b in batches)
"""


# in percent
wrong_percent = """
@torch.no_grad()
def evaluate_accuracy(model, batches):
    was = model.training
    model.eval()
    right = sum((model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).sum().item() for b in batches)
    model.train(was)
    return 100 * right / sum(len(b["labels"]) for b in batches)
"""


# records gradients
def wrong_records(model, batches):
    was = model.training
    model.eval()
    right = sum((model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).sum().item() for b in batches)
    model.train(was)
    return right / sum(len(b["labels"]) for b in batches)


# never sets the mode back
wrong_stays_eval = """
@torch.no_grad()
def evaluate_accuracy(model, batches):
    model.eval()
    right = sum((model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).sum().item() for b in batches)
    return right / sum(len(b["labels"]) for b in batches)
"""


# sets back only the flag of the model itself, not of its parts
wrong_top_flag_only = """
@torch.no_grad()
def evaluate_accuracy(model, batches):
    was = model.training
    model.eval()
    right = sum((model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"]).sum().item() for b in batches)
    model.training = was
    return right / sum(len(b["labels"]) for b in batches)
"""


# takes class 1 if the second logit is positive
wrong_two_classes = """
@torch.no_grad()
def evaluate_accuracy(model, batches):
    was = model.training
    model.eval()
    right = sum(((model(b["input_ids"], b["attention_mask"])[:, 1] > 0).long() == b["labels"]).sum().item() for b in batches)
    model.train(was)
    return right / sum(len(b["labels"]) for b in batches)
"""


# leaves the model in training mode, also if it came in evaluation mode
def wrong_second_always_back_to_training(model, batches):
    model.eval(); right = total = 0
    with torch.no_grad():
        for batch in batches:
            said = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
            right += int((said == batch["labels"]).sum()); total += len(said)
    model.train(); return right / total


# the mean of the accuracies of the batches, whatever their sizes
def wrong_second_mean_of_batches(model, batches):
    before = model.training
    model.eval()
    with torch.no_grad():
        found = [
            (model(each["input_ids"], each["attention_mask"]).argmax(-1) == each["labels"]).float().mean().item()
            for each in batches
        ]
    model.train(before)
    return sum(found) / len(found)


# asks whether logit 1 is larger than logit 0, which is right for two classes only
def wrong_second_two_classes_only(model, batches):
    before = model.training; model.eval(); right = total = 0
    with torch.no_grad():
        for batch in batches:
            logits = model(batch["input_ids"], batch["attention_mask"])
            right += ((logits[:, 1] > logits[:, 0]).long() == batch["labels"]).sum().item()
            total += batch["labels"].numel()
    model.train(before); return right / total


# gradients are switched on at the end, though they may have been off before
def wrong_grad_on(model, batches):
    mode = model.training; model.eval()
    torch.set_grad_enabled(False)
    hits = [model(b["input_ids"], b["attention_mask"]).argmax(-1) == b["labels"] for b in batches]
    torch.set_grad_enabled(True)
    model.train(mode); return float(torch.cat(hits).double().mean())


# the sign of the second logit
def wrong_sign(model, batches):
    mode = model.training; model.eval()
    with torch.no_grad(): hits = [(model(b["input_ids"], b["attention_mask"])[:, 1] > 0).long() == b["labels"] for b in batches]
    model.train(mode); return float(torch.cat(hits).double().mean())


# the logits are rounded to two digits
def wrong_fourth_rounded_logits(model, batches):
    mode = model.training; model.eval(); hits = n = 0
    with torch.no_grad():
        for b in batches:
            hits += int((model(b["input_ids"], b["attention_mask"]).round(decimals=2).argmax(-1) == b["labels"]).sum()); n += len(b["labels"])
    model.train(mode)
    return hits / n


# at most five classes are compared
def wrong_fifth_five_classes(model, batches):
    mode = model.training; model.eval()
    with torch.no_grad(): hits = [(model(b["input_ids"], b["attention_mask"])[:, :5].argmax(1) == b["labels"]).float() for b in batches]
    model.train(mode); return float(torch.cat(hits).mean())


# eight bits hold the number of right answers
def wrong_fifth_eight_bits(model, batches):
    mode = model.training; model.eval()
    with torch.no_grad(): hits = torch.cat([model(b["input_ids"], b["attention_mask"]).argmax(1) == b["labels"] for b in batches])
    model.train(mode); return int(hits.sum(dtype=torch.uint8)) / len(hits)


# the mask is made from the ids
def wrong_twelfth_own_mask(model, batches):
    mode = model.training; model.eval()
    with torch.no_grad(): hits = [model(b["input_ids"], (b["input_ids"] != 0).long()).argmax(1) == b["labels"] for b in batches]
    model.train(mode); return float(torch.cat(hits).double().mean())
