"""Which accounts of the machine a login from a learning platform may use: the settings of the hub, read."""

from __future__ import annotations

import grp
import pwd
import runpy
import shutil
from types import SimpleNamespace

import pytest
from environments import ROOT

CONFIG = ROOT / "deploy" / "one_machine" / "etc" / "lti_config.py"
ACCOUNTS = {"root": 0, "daemon": 1, "ubuntu": 1000, "boss": 1001, "ann": 1002, "bo": 1003, "ops": 1004}
GROUPS = {
    "sudo": (27, ["ubuntu", "boss"]),
    "docker": (99, ["bo"]),
    "adm": (1004, []),  # the own group of `ops`
    "students": (50, ["ann"]),
}


class Settings(SimpleNamespace):
    """JupyterHub's settings: every section is there."""

    def __getattr__(self, name):
        section = Settings()
        setattr(self, name, section)
        return section


@pytest.fixture
def blocked(tmp_path, monkeypatch):
    """The names that nobody may log in under, with these lines under [lti]."""
    pytest.importorskip("tornado")
    accounts = [SimpleNamespace(pw_name=name, pw_uid=uid, pw_gid=uid) for name, uid in ACCOUNTS.items()]
    groups = {name: SimpleNamespace(gr_gid=gid, gr_mem=members) for name, (gid, members) in GROUPS.items()}
    monkeypatch.setattr(pwd, "getpwall", lambda: accounts)
    monkeypatch.setattr(grp, "getgrnam", groups.__getitem__)
    shutil.copy(CONFIG, tmp_path)

    def read(more=""):
        lines = [
            f'{name} = "x"' for name in ("course", "client_id", "issuer", "authorize_url", "jwks_endpoint")
        ]
        text = "\n".join(['instructors = ["boss"]', "[lti]", *lines, more])
        (tmp_path / "settings.toml").write_text(text)
        settings = Settings()
        runpy.run_path(str(tmp_path / CONFIG.name), {"get_config": lambda: settings})
        return settings.LTI13Authenticator.blocked_users

    return read


def test_nobody_gets_an_account_of_the_system_or_one_that_can_become_root(blocked):
    assert blocked() == {"root", "daemon", "ubuntu", "bo", "ops"}


def test_with_a_group_only_its_accounts_get_in(blocked):
    assert blocked('group = "students"') == ACCOUNTS.keys() - {"ann", "boss"}


def test_a_group_that_is_not_there_lets_no_student_in(blocked):
    assert blocked('group = "studnets"') == ACCOUNTS.keys() - {"boss"}
