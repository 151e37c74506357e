# a context manager for the mode; numpy compares
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
