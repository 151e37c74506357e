"""Where notebooks find the shipped data."""

import pytest

from kqa_core.errors import UserError
from kqa_core.text import packaged as module
from kqa_core.text.packaged import own_data, recorded_file, runs, shipped
from kqa_core.text.world.generator import make_world


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A notebook's folder in a place without clone: the package is installed, and that is all."""
    monkeypatch.setattr(module, "PACKAGE", tmp_path / "site-packages" / "kqa_core")
    folder = tmp_path / "course" / "07_pretrain_finetune_evaluate"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def test_data_in_a_folder_above_the_notebook_is_found(elsewhere):
    world = elsewhere.parent / "data" / "world" / "small"
    world.mkdir(parents=True)
    assert shipped("world/small") == world


def test_data_of_the_clone_is_found_from_anywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = shipped("world/tiny")
    assert (found / "wiki.txt").is_file() and tmp_path not in found.parents


def test_without_a_working_copy_a_world_is_made_the_same_as_ever(elsewhere):
    found = shipped("world/tiny")
    assert found == elsewhere / "data" / "world" / "tiny"
    for name, text in make_world("tiny").files().items():
        assert (found / name).read_bytes() == text.encode()
    assert shipped("world/tiny") == found


def test_what_cannot_be_made_is_named(elsewhere):
    with pytest.raises(UserError, match=r"data/sentiment: no such folder"):
        shipped("sentiment")
    with pytest.raises(UserError, match=r"data/world/huge: no such folder .* world/small"):
        shipped("world/huge")


def test_what_the_installed_package_holds_is_found_and_never_written_to(elsewhere):
    """As the wheel lays it out: the data is a folder of the package."""
    for name in ("data/world/small", "data/encoder", "data/results"):
        (module.PACKAGE / name).mkdir(parents=True)
    (module.PACKAGE / "data/results/ladder.json").write_text("{}")
    assert shipped("world/small") == module.PACKAGE / "data" / "world" / "small"
    assert shipped("encoder") == module.PACKAGE / "data" / "encoder"
    assert recorded_file("ladder.json").read_text() == "{}" and not recorded_file("never.json").exists()
    assert own_data() == [module.PACKAGE / "data" / name for name in ("world", "encoder", "results")]
    assert runs("07") == elsewhere / "runs" / "07"


def test_runs_of_all_notebooks_that_were_fetched_lie_beside_their_folders(elsewhere):
    (elsewhere / f"{elsewhere.name}.ipynb").touch()
    assert runs("07") == elsewhere.parent / "runs" / "07"


def test_data_of_the_course_is_found_from_anywhere(elsewhere, tmp_path, monkeypatch):
    (tmp_path / "sorting" / "data" / "numbers").mkdir(parents=True)
    monkeypatch.setenv("KQA_COURSE", str(tmp_path / "sorting"))
    assert shipped("numbers") == tmp_path / "sorting" / "data" / "numbers"


def test_runs_lie_beside_the_data(elsewhere):
    (elsewhere.parent / "data" / "world" / "small").mkdir(parents=True)
    assert runs("07") == elsewhere.parent / "runs" / "07"
    assert runs("07").is_dir()


def test_or_where_the_environment_says(elsewhere, tmp_path, monkeypatch):
    monkeypatch.setenv("KQA_RUNS", str(tmp_path / "kept"))
    assert runs("07") == tmp_path / "kept" / "07"
    assert runs("07").is_dir()


def test_runs_that_cannot_be_kept_are_a_persons_mistake(elsewhere):
    (elsewhere.parent / "data" / "world" / "small").mkdir(parents=True)
    (elsewhere.parent / "runs").write_text("a file in the way")
    with pytest.raises(UserError, match="a file is in the way"):
        runs("07")
