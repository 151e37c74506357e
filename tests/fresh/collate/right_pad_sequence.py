# torch.nn.utils.rnn.pad_sequence for ids and mask
from torch.nn.utils.rnn import pad_sequence


def collate(items, pad_id):
    rows = [torch.tensor(ids) for ids, _ in items]
    ids = pad_sequence(rows, batch_first=True, padding_value=pad_id)
    mask = pad_sequence([torch.ones_like(r) for r in rows], batch_first=True)
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}
