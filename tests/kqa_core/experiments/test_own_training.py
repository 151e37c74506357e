"""What surrounds a student's own training changes nothing in it; the short pretraining of notebook 09."""

from dataclasses import replace

import pytest
import torch

from kqa_core.experiments import own_training
from kqa_core.experiments.own_training import WatchedTraining, kept_training
from kqa_core.model import register_variant, variant_registry
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.text.birthplaces import Pair
from kqa_core.text.corpus import Corpus, read_corpus
from kqa_core.text.packaged import shipped
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.training import loop
from kqa_core.training.optimizer import MuonAdamW
from kqa_core.training.recipes import SMALL
from kqa_core.training.runs import prepare_pretrain

TEXT = "Where was Bo born? Ty"
CORPUS = Corpus("", TEXT, ("Bo. Ty.",), Vocabulary.from_text(TEXT), dev=(Pair("Where was Bo born?", "Ty"),))


def batches():
    generator = torch.Generator().manual_seed(1)
    while True:
        codes = torch.randint(2, 12, (2, 9), generator=generator)
        yield codes[:, :-1], codes[:, 1:]


def model():
    torch.manual_seed(0)
    return GPT(GPTConfig(len(CORPUS.vocabulary), block_size=64, n_layer=1, n_head=2, d_model=8))


def asks_for_one_more(model, optimizer, batches, rates, max_norm):
    return looped(model, optimizer, (batch for batch, _ in zip(batches, rates, strict=False)))


def counts_its_steps(model, optimizer, batches, rates, max_norm):
    return looped(model, optimizer, (batch for _, batch in zip(rates, batches, strict=False)))


def takes_all_batches_first(model, optimizer, batches, rates, max_norm):
    return looped(model, optimizer, [batch for _, batch in zip(rates, batches, strict=False)])


def never_steps(model, optimizer, batches, rates, max_norm):
    return [model.train()(x, y)[1].item() for x, y in batches]


def looped(model, optimizer, batches):
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        _, loss = model.train()(x, y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def training(steps=5, source=batches, folder=None, rate=0.01):
    """A training that is always the same; Muon's steps are three optimizers' steps."""
    torch.manual_seed(3)
    network = model()
    return WatchedTraining(
        network, MuonAdamW(network, 0.01), source(), [rate] * steps, "my test", CORPUS, folder
    )


def plainly(steps=5):
    """The same training without what surrounds it."""
    same = training(steps)
    losses = looped(
        same.model, same.optimizer, (batch for _, batch in zip(range(steps), batches(), strict=False))
    )
    return losses, same.model.state_dict()


def weights(one):
    return {name: tensor.tolist() for name, tensor in one.items()}


@pytest.mark.parametrize("loop", [asks_for_one_more, counts_its_steps, takes_all_batches_first])
def test_a_watched_training_is_the_same_training(loop, capsys):
    losses, after = plainly()
    watched = training()
    assert watched.run(loop) == losses == watched.losses
    assert weights(watched.model.state_dict()) == weights(after)
    said = capsys.readouterr().err
    assert said.count("step 5 of 5") == 1 and "accuracy" in said and "loss" in said
    assert not watched.model._forward_hooks
    assert watched.run(loop) == losses, "a second call has nothing to do"
    assert weights(watched.model.state_dict()) == weights(after)


@pytest.mark.parametrize("place", ["before its step", "after its step"])
def test_a_training_that_was_stopped_goes_on_as_if_it_had_not_been(place, capsys):
    losses, after = plainly()

    class Interrupted(MuonAdamW):
        calls = 0

        def zero_grad(self, set_to_none=True):
            self.calls += 1
            if self.calls == 3 and place == "before its step":
                raise KeyboardInterrupt
            super().zero_grad(set_to_none)

    def interrupted(model, optimizer, batches, rates, max_norm):
        def first_two():
            for number, batch in enumerate(batches):
                if number == 2 and place == "after its step":
                    raise KeyboardInterrupt
                yield batch

        return looped(model, optimizer, first_two())

    torch.manual_seed(3)
    network = model()
    stopped = WatchedTraining(network, Interrupted(network, 0.01), batches(), [0.01] * 5, "test", CORPUS)
    with pytest.raises(KeyboardInterrupt, match="test: stopped at step 2 of 5: run this cell again"):
        stopped.run(interrupted)
    assert "test: stopped at step 2 of 5" in capsys.readouterr().err
    assert not network._forward_hooks
    assert stopped.run(counts_its_steps) == losses
    assert weights(network.state_dict()) == weights(after)


def test_a_finished_training_is_loaded_in_a_new_kernel(tmp_path, capsys):
    first = training(folder=tmp_path)
    losses = first.run(counts_its_steps)
    capsys.readouterr()
    again = training(folder=tmp_path)
    assert again.run(counts_its_steps) == losses == again.losses
    assert weights(again.model.state_dict()) == weights(first.model.state_dict())
    said = capsys.readouterr()
    assert said.out.startswith(
        f"my test: loaded from {tmp_path.parent.name}/{tmp_path.name}/my_test.run, tra"
    )
    assert "delete this file" in said.out and not said.err, "nothing is trained"


def short(config, steps):
    print("trains")
    return {"table": torch.full((2,), float(steps), requires_grad=True)}, [0.5] * steps


def longer(config, steps):
    return short(config, 2 * steps)


def test_a_short_training_is_kept_until_its_code_or_its_arguments_change(tmp_path, capsys):
    path, config = tmp_path / "short.run", GPTConfig(5, n_layer=1)
    weights, losses = kept_training(path, short, config, 3)
    capsys.readouterr()
    again, same = kept_training(path, short, config, 3)
    assert torch.equal(again["table"], weights["table"]) and again["table"].requires_grad and same == losses
    said = capsys.readouterr().out
    assert "short.run, trained on" in said and "trains" not in said
    for change in (
        lambda: kept_training(path, longer, config, 3),
        lambda: kept_training(path, short, replace(config, n_layer=2), 3),
        lambda: kept_training(path, short, config, 4),
    ):
        change()
        assert "is of other code or settings, so the training begins anew.\ntrains" in capsys.readouterr().out
    path.write_bytes(b"PK damaged")
    assert kept_training(path, short, config, 3)[1] == losses
    assert "cannot be read, so the training begins anew.\ntrains" in capsys.readouterr().out
    kept_training(path, short, config, 3)
    assert "trains" not in capsys.readouterr().out


STEP = 1


def takes_a_global(model, optimizer, batches, rates, max_norm):
    return stepped(model, optimizer, [batch for _, batch in zip(rates, batches, strict=False)][::STEP])


def stepped(model, optimizer, batches):
    return looped(model, optimizer, batches)


@torch.no_grad()
def prepared(x):
    return x


def prepared_batches():
    for x, y in batches():
        yield prepared(x), y


@pytest.mark.parametrize("changed", ["loop", "helper", "number", "batches", "rate", "steps", "start"])
def test_a_training_with_a_changed_answer_or_setting_begins_anew(changed, tmp_path, monkeypatch, capsys):
    training(folder=tmp_path, source=prepared_batches).run(takes_a_global)
    before = (tmp_path / "my_test.run").read_bytes()
    capsys.readouterr()
    here, loop = {}, takes_a_global
    if changed == "loop":
        loop = counts_its_steps
    elif changed == "helper":
        monkeypatch.setitem(globals(), "stepped", lambda *more: [2 * loss for loss in looped(*more)])
    elif changed == "number":
        monkeypatch.setitem(globals(), "STEP", -1)
    elif changed == "batches":  # the first batch is the same
        monkeypatch.setitem(globals(), "prepared", lambda x: x.clone())
    elif changed == "start":
        whole = torch.manual_seed
        monkeypatch.setattr(torch, "manual_seed", lambda seed: whole(seed + 1))
    else:
        here = {"rate": {"rate": 0.02}, "steps": {"steps": 4}}[changed]
    again = training(folder=tmp_path, source=prepared_batches, **here)
    again.run(loop)
    said = capsys.readouterr()
    assert said.out.endswith("my_test.run is of other code, data or settings, so the training begins anew.\n")
    assert f"step {len(again.rates)} of {len(again.rates)}" in said.err
    assert (tmp_path / "my_test.run").read_bytes() != before, "and takes the place of the other"


def test_an_unfinished_training_goes_on_in_a_new_kernel(tmp_path, monkeypatch, capsys):
    losses, after = plainly()
    monkeypatch.setattr(own_training, "SAVED", 0.0)

    class Killed(MuonAdamW):
        def zero_grad(self, set_to_none=True):
            if killed and len(stopped.losses) == 3:
                raise KeyboardInterrupt
            super().zero_grad(set_to_none)

    monkeypatch.setitem(globals(), "MuonAdamW", Killed)
    killed, stopped = True, training(folder=tmp_path)
    with pytest.raises(KeyboardInterrupt, match="stopped at step 3 of 5"):
        stopped.run(counts_its_steps)
    capsys.readouterr()
    killed, again = False, training(folder=tmp_path)
    assert again.run(counts_its_steps) == losses
    assert weights(again.model.state_dict()) == weights(after)
    assert capsys.readouterr().out.startswith("my test: goes on at step 3, saved in ")


def test_a_training_whose_code_changed_on_the_way_is_not_kept(tmp_path, monkeypatch):
    stopped = training(folder=tmp_path)

    def interrupted(model, optimizer, batches, rates, max_norm):
        looped(model, optimizer, [next(batches)])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped.run(interrupted)
    assert len(stopped.run(counts_its_steps)) == 5
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"", b"no archive", "half"])
def test_a_damaged_file_is_named_and_the_training_begins_anew(content, tmp_path, capsys):
    losses = training(folder=tmp_path).run(counts_its_steps)
    file = tmp_path / "my_test.run"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2] if content == "half" else content)
    capsys.readouterr()
    assert training(folder=tmp_path).run(counts_its_steps) == losses
    assert capsys.readouterr().out.endswith("my_test.run cannot be read, so the training begins anew.\n")
    assert training(folder=tmp_path).run(counts_its_steps) == losses
    assert "loaded from" in capsys.readouterr().out


def test_a_training_ends_where_its_file_cannot_be_written(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert len(training(folder=tmp_path / "file").run(counts_its_steps)) == 5
    assert "file/my_test.run: could not be written (" in capsys.readouterr().out


def test_a_loop_without_steps_ends():
    assert len(training().run(never_steps)) == 5


@pytest.mark.nightly
@pytest.mark.usefixtures("one_thread")
def test_a_row_goes_on_where_it_was_stopped_and_is_pretrained_once(tmp_path, monkeypatch):
    corpus = read_corpus(shipped("world/tiny"))
    plain = replace(SMALL.pretrain, cue_probability=0.0, question_share=0.0, batch_size=4)
    monkeypatch.setattr(own_training, "SAVED", 0.0)
    whole = own_training.train_row("whole", plain, corpus, tmp_path, 4)

    steps = []
    step = loop.CpuEngine.submit

    def submit(engine, first):
        if len(steps) == 2:
            raise KeyboardInterrupt
        steps.append(first)
        return step(engine, first)

    monkeypatch.setattr(loop.CpuEngine, "submit", submit)
    with pytest.raises(KeyboardInterrupt, match="stopped: stopped: run this cell again"):
        own_training.train_row("stopped", plain, corpus, tmp_path, 4)
    monkeypatch.setattr(loop.CpuEngine, "submit", step)
    again = own_training.train_row("stopped", plain, corpus, tmp_path, 4)
    assert weights(again.state_dict()) == weights(whole.state_dict())

    def never(run, *_, **__):
        assert run.description["what"] == "finetune", "it is pretrained already"
        return train(run, show=False)

    train = loop.Run.train
    monkeypatch.setattr(loop.Run, "train", never)
    assert weights(own_training.train_row("whole", plain, corpus, tmp_path, 4).state_dict()) == weights(
        whole.state_dict()
    )


@pytest.mark.usefixtures("one_thread")
def test_a_run_is_trained_once_and_anew_with_another_layer_or_a_damaged_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(variant_registry, "_registered", {})
    corpus = read_corpus(shipped("world/tiny"))

    def train(scale):
        names = {"__name__": "notebook", "nn": torch.nn, "FACTOR": scale}
        exec(
            "class Mine(nn.Module):\n    def __init__(self, config):\n        super().__init__()\n"
            "    def forward(self, x, cache=None):\n        return FACTOR * x\n",
            names,
        )
        register_variant("mine", names["Mine"])
        run = prepare_pretrain(
            "mine", corpus, recipe="small", device="cpu", steps=1, model={"n_layer": 1, "d_model": 16}
        )
        own_training.train_once(run, tmp_path / "mine", show=False)
        return capsys.readouterr().out, (tmp_path / "mine" / "model.safetensors").read_bytes()

    said, first = train(1.0)
    assert not said and train(1.0) == (
        f"loaded from {'/'.join(tmp_path.parts[-2:])}/mine; delete this folder to train anew\n",
        first,
    )
    said, other = train(2.0)
    assert not said and other != first
    (tmp_path / "mine" / "state.json").write_text("{")
    said, again = train(2.0)
    assert said.endswith("/mine cannot be read, so the training begins anew.\n") and again == other
