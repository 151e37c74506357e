# float32 tensors on the way
def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return float(torch.tensor(tokens) / warmup_tokens)
    done = torch.tensor((tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)).clamp(0, 1)
    value = (0.5 * (1 + torch.cos(torch.pi * done))).clamp(min=0.1)
    return value.item() if tokens <= final_tokens else 0.1
