"""`kqa course link`: the link that nbgitpuller reads."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from autograder.build.jupyterhub_link import jupyterhub_link

HUB, REPO = "https://hub.example.org", "https://github.com/owner/name"
NOTEBOOK = "01_attention_as_a_lookup/01_attention_as_a_lookup.ipynb"


@pytest.mark.parametrize("repository", [REPO, f"{REPO}.git", f"{REPO}/"])
@pytest.mark.parametrize("hub", [HUB, f"{HUB}/"])
def test_the_link_says_what_to_copy_and_what_to_open(hub, repository):
    parts = urlsplit(jupyterhub_link(hub, repository, "autumn/2026", NOTEBOOK))
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{HUB}/hub/user-redirect/git-pull"
    assert parse_qs(parts.query) == {
        "repo": [repository],
        "branch": ["autumn/2026"],
        "urlpath": [f"lab/tree/name/{NOTEBOOK}"],
    }


def test_a_hub_below_a_path_and_a_file_with_a_space_keep_theirs():
    parts = urlsplit(jupyterhub_link(f"{HUB}/a/b", REPO, path="a file.ipynb"))
    assert parts.path == "/a/b/hub/user-redirect/git-pull"
    # decoded once more when it is opened
    assert parse_qs(parts.query)["urlpath"] == ["lab/tree/name/a%20file.ipynb"]


def test_the_command_prints_the_link_and_nothing_else(kqa_in_process):
    status, said = kqa_in_process("course", "link", "--hub", HUB, "--repo", REPO)
    assert (status, said.out) == (0, jupyterhub_link(HUB, REPO) + "\n")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"hub": "hub.example.org"}, "--hub: 'hub.example.org' is not an address; expected"),
        ({"hub": "javascript:alert(1)"}, "--hub: "),
        ({"hub": "https://hub.example.org:port"}, "--hub: "),
        ({"hub": f"{HUB}?next=x"}, "has a part after ? or #"),
        ({"repo": "git@github.com:owner/name.git"}, "--repo: "),
        ({"repo": "https://ada:secret@example.org/name"}, "names a user or a password"),
        ({"repo": "https://github.com/"}, "names no repository"),
        ({"branch": "--upload-pack=x"}, "--branch: '--upload-pack=x' is not a branch's name"),
        ({"branch": "a..b"}, "--branch: "),
        ({"branch": ""}, "--branch: "),
        ({"path": "../other"}, "--path: '../other' is not a file in the repository"),
        ({"path": "/etc/passwd"}, "--path: "),
        ({"path": "a\nb"}, "--path: "),
    ],
)
def test_what_makes_no_link_is_one_line(change, said, kqa_in_process):
    words = {"hub": HUB, "repo": REPO, **change}
    status, printed = kqa_in_process(
        "course", "link", *(f"--{name}={value}" for name, value in words.items())
    )
    assert (status, printed.out) == (2, "")
    assert said in printed.err and "secret" not in printed.err and printed.err.count("\n") == 1
