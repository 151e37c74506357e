"""What `kqa course push lti` reads: the hub's file of launches, its own key, and what it sent last."""

from __future__ import annotations

import json

import pytest
from lti_platform import RIGHT

from kqa_core.errors import UserError

pytest.importorskip("jwt", reason="PyJWT is not installed: set-up installs it")
from autograder.export import lti_platform, push_lti

PLATFORM = "https://platform.example.org"
LAUNCHES = {
    "issuer": PLATFORM,
    "client_id": "1",
    "token_url": f"{PLATFORM}/token",
    "lineitems": f"{PLATFORM}/7/lineitems",
    "scope": [f"{RIGHT}lineitem.readonly", f"{RIGHT}score"],
    "people": {"Ann": "5f0c"},
}


def test_the_audience_of_an_assertion_is_the_address_for_tokens_or_what_the_settings_say(tmp_path):
    path = tmp_path / "launches.json"
    path.write_text(json.dumps(LAUNCHES))
    assert lti_platform.read_launches(path).token_audience == f"{PLATFORM}/token"
    assert lti_platform.read_launches(path).people == {"ann": "5f0c"}
    path.write_text(json.dumps({**LAUNCHES, "token_audience": "another"}))
    assert lti_platform.read_launches(path).token_audience == "another"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (None, "the hub writes it when somebody opens it from the platform, if .lti. has token_url"),
        ({"people": None}, "is not the hub's file of launches"),
        ({"lineitems": None}, "has no lineitems; allow this tool the Assignment and Grade Services"),
        ({"scope": None}, "has no scope; allow this tool"),
        ({"scope": [f"{RIGHT}lineitem"]}, "give this tool no right to read line items and send scores"),
        (
            {"token_url": "http://platform.example.org/token"},
            "is no address of a platform; expected one with",
        ),
        ({"lineitems": "file:///etc/passwd"}, "is no address of a platform; expected one with https"),
    ],
)
def test_a_file_of_launches_that_lacks_something_is_one_line(tmp_path, changed, said):
    path = tmp_path / "launches.json"
    if changed is not None:
        path.write_text(json.dumps({**LAUNCHES, **changed}))
    with pytest.raises(UserError, match=said) as problem:
        lti_platform.LtiPlatform(lti_platform.read_launches(path), None)
    assert "\n" not in str(problem.value)


def test_the_key_is_made_once_and_the_platform_gets_its_public_half(tmp_path, kqa_in_process):
    path = tmp_path / ".lti_key.pem"
    status, first = kqa_in_process("course", "push", "lti-key", "--key", path)
    assert (status, path.stat().st_mode & 0o777) == (0, 0o600) and f"new private key {path}" in first.err
    status, again = kqa_in_process("course", "push", "lti-key", "--key", path)
    assert again.out == first.out and "new private key" not in again.err
    (key,) = json.loads(first.out)["keys"]
    assert key.keys() == {"kty", "n", "e", "kid", "alg", "use"}  # and none of the private numbers
    pem = kqa_in_process("course", "push", "lti-key", "--pem", "--key", path)[1].out
    assert pem.startswith("-----BEGIN PUBLIC KEY-----\n")


def test_a_key_that_others_may_read_or_that_is_none_is_one_line(tmp_path):
    path = tmp_path / "key.pem"
    with pytest.raises(UserError, match=r"cannot be read .*`kqa course push lti-key` makes one"):
        lti_platform.read_key(path)
    lti_platform.make_key(path)
    path.chmod(0o640)
    with pytest.raises(UserError, match="others may read it; expected a file for you alone: chmod 600"):
        lti_platform.read_key(path)
    path.chmod(0o600)
    path.write_text("none")
    with pytest.raises(UserError, match="holds no RSA key"):
        lti_platform.read_key(path)


def test_a_record_of_pushes_that_is_damaged_is_one_line(tmp_path):
    assert push_lti.Sent.read(tmp_path).items == {}
    (tmp_path / push_lti.SENT).parent.mkdir()
    (tmp_path / push_lti.SENT).write_text('{"01": []}')
    with pytest.raises(UserError, match=r"lti_scores\.json: cannot be read; restore it from a backup"):
        push_lti.Sent.read(tmp_path)
