"""Login to a real JupyterHub from a learning platform, by LTI 1.3: who gets in, as whom, and who does not.
And, by the settings of the hub alone: under which accounts of the machine, and what the hub keeps of it.
"""

from __future__ import annotations

import grp
import json
import os
import pwd
import re
import sys
import time
from types import SimpleNamespace

import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import rsa
from lti_platform import (
    CLAIM,
    CLIENT,
    INSTRUCTOR,
    LEARNER,
    ROLE,
    Platform,
    encoded,
    hub_config,
    launch,
    person_id,
    serving,
    signed,
)
from servers import hub_of, needs_hub

from autograder.paths import COURSE

TA = [f"{ROLE}membership/instructor#TeachingAssistant", INSTRUCTOR]  # as Canvas sends it
CONFIG = """
load_subconfig({!r})
c = get_config()
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = {!r}
c.Spawner.args = ["--allow-root"]
scopes = ["self", "read:users!user", "read:users:groups!user"]
c.JupyterHub.load_roles = [{{"name": "user", "scopes": scopes}}]
"""
ACCOUNTS = {"root": 0, "daemon": 1, "ubuntu": 1000, "boss": 1001, "ann": 1002, "bo": 1003, "ops": 1004}
GROUPS = {
    "sudo": (27, ["ubuntu", "boss"]),
    "docker": (99, ["bo"]),
    "adm": (1004, []),  # the own group of `ops`
    "students": (50, ["ann"]),
}


def on_the_hub(test):
    """A test that needs the hub: slow, and all such tests in one process."""
    return pytest.mark.slow(pytest.mark.xdist_group("lti")(needs_hub(test)))


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    """The platform, and the address of a hub that knows it."""
    place = tmp_path_factory.mktemp("lti")
    (place / "etc").mkdir()
    ours = CONFIG.format(str(place / "etc" / "jupyterhub_config.py"), str(place / "home" / "{username}"))
    (place / "etc" / "lti_test_config.py").write_text(ours)
    with serving(Platform()) as platform:
        lti = {
            "issuer": "",
            "client_id": CLIENT,
            "authorize_url": "/authorize",
            "jwks_endpoint": "/jwks",
            "token_url": "/token",
            "course": "1234",
        }
        lines = [
            f'{name} = "{platform.address if name not in ("client_id", "course") else ""}{each}"'
            for name, each in lti.items()
        ]
        settings = (
            f'course = "{COURSE}"\nenvironment = "{sys.prefix}"\ninstructors = ["boss"]\n[lti]\n'
            + "\n".join(lines)
        )
        with hub_of(place, "lti_test_config.py", "/hub/api", settings) as address:
            platform.launches = place / "lti" / "launches.json"
            yield platform, address


@pytest.fixture
def platform(hub):
    """The platform, which forgets afterwards what a test has changed."""
    platform, _ = hub
    before = dict(vars(platform))
    yield platform
    vars(platform).update(before)


@pytest.fixture
def come(platform, hub):
    """Log in as somebody; the hub's answer, and what the hub then says who one is (None: nobody)."""

    def run(login, roles=(LEARNER,)):
        session, answer, _ = launch(platform, hub[1], login, list(roles))
        return answer, who_is(session, hub[1])

    return run


def who_is(session, hub):
    """The name and the groups of the person who has logged in; None for nobody."""
    home = session.get(f"{hub}/hub/home", allow_redirects=False, timeout=60)
    if home.status_code != 200:
        return None
    token = re.search(r'xsrf_token: "([^"]+)"', home.text)[1]
    said = session.get(
        f"{hub}/hub/api/user", headers={"X-XSRFToken": token, "Referer": f"{hub}/hub/home"}, timeout=60
    ).json()
    return said["name"], said["groups"]


@on_the_hub
@pytest.mark.parametrize(
    ("login", "roles", "groups"),
    [
        ("ann", [LEARNER], []),
        # a lecturer who takes this course
        ("Ann.Doe@x.org", [LEARNER, f"{ROLE}institution/person#Instructor"], []),
        ("ina", [INSTRUCTOR], ["instructors"]),
        ("ben", TA, ["instructors"]),
        ("boss", [INSTRUCTOR], ["instructors"]),
    ],
)
def test_a_person_gets_in_under_the_platforms_login_and_with_the_role_in_the_course(
    come, login, roles, groups
):
    answer, known = come(login, roles)
    assert answer.status_code == 200, answer.text
    assert known == (login.lower(), groups)


@on_the_hub
def test_who_no_longer_teaches_is_a_student_at_the_next_login(come):
    assert come("ida", [INSTRUCTOR])[1] == ("ida", ["instructors"])
    assert come("ida")[1] == ("ida", [])


def other_key(platform):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    platform.sign = lambda claims: signed(claims, key)


def no_signature(platform):
    platform.sign = lambda claims: (
        f"{encoded({'alg': 'none', 'typ': 'JWT', 'kid': 'key-1'})}.{encoded(claims)}."
    )


def changed_afterwards(platform):
    def sign(claims):
        head, _, tail = signed(claims, platform.key).split(".")
        return f"{head}.{encoded({**claims, f'{CLAIM}roles': [INSTRUCTOR]})}.{tail}"

    platform.sign = sign


def claims(**changed):
    """A platform whose token has these claims otherwise; a function gets the claim as it was."""

    def alter(platform):
        new = {name.replace("lti_", CLAIM): value for name, value in changed.items()}
        platform.alter = lambda told: (
            told | {name: each(told[name]) if callable(each) else each for name, each in new.items()}
        )

    return alter


@on_the_hub
@pytest.mark.parametrize(
    ("lie", "status"),
    [
        (other_key, 400),
        (no_signature, 400),
        (changed_afterwards, 400),
        (claims(aud="another-tool"), 401),
        (claims(iss="https://elsewhere.example.org"), 400),
        (claims(nonce="of-another-login"), 400),
        (claims(exp=lambda then: then - 301), 400),
        (claims(iat=lambda then: then - 3600), 400),
        (claims(lti_custom={"course": "1234"}), 403),
        (claims(lti_custom={"login": "$User.username", "course": "1234"}), 403),
        (claims(lti_custom={"login": "ann", "course": "99"}), 403),
        (claims(lti_custom={"login": "ann"}), 403),
    ],
)
def test_a_token_that_is_not_for_this_login_or_course_is_refused(come, platform, lie, status):
    lie(platform)
    answer, known = come("ann")
    assert (answer.status_code, known) == (status, None), answer.text


@on_the_hub
@pytest.mark.parametrize("login", ["boss", "root", "daemon"])
def test_a_student_with_an_instructors_or_the_systems_name_is_refused(come, login):
    answer, known = come(login)
    assert (answer.status_code, known) == (403, None)


@on_the_hub
def test_a_token_that_was_used_lets_nobody_else_in(platform, hub):
    _, answer, form = launch(platform, hub[1], "ann", [LEARNER])
    assert answer.status_code == 200
    thief, _, _ = launch(platform, hub[1], "eve", [LEARNER])
    again = thief.post(f"{hub[1]}/hub/lti13/oauth_callback", data=form, timeout=60)
    assert again.status_code == 400 and who_is(thief, hub[1]) in (None, ("eve", []))


@on_the_hub
def test_there_is_no_other_way_in(hub):
    with requests.Session() as session:
        session.trust_env = False
        form = {"username": "ann", "password": "ann"}
        assert session.post(f"{hub[1]}/hub/login", data=form, timeout=60).status_code in (403, 404, 405)
        assert who_is(session, hub[1]) is None


@on_the_hub
def test_by_the_role_an_instructors_server_is_chosen(platform, hub):
    """It shows the clone with the course in it, which no student sees."""
    session, _, _ = launch(platform, hub[1], "ina", [INSTRUCTOR], target="/hub/spawn")
    for _ in range(240):
        shown = session.get(f"{hub[1]}/user/ina/files/{COURSE.name}/course.toml", timeout=60)
        if shown.status_code == 200 and "<html" not in shown.text:
            break
        time.sleep(0.5)  # until the server has started, the hub shows pages of its own
    assert shown.text == (COURSE / "course.toml").read_text(encoding="utf-8")


@on_the_hub
def test_the_hub_keeps_what_marks_need_to_go_back(platform, come):
    come("Ann.Doe@x.org")
    come("ina", [INSTRUCTOR])
    kept = json.loads(platform.launches.read_text())
    assert kept["people"]["ann.doe@x.org"] == person_id("Ann.Doe@x.org") and "ina" not in kept["people"]
    assert kept["lineitems"] == platform.lineitems and kept["token_url"] == f"{platform.address}/token"
    assert platform.launches.stat().st_mode & 0o007 == 0


@pytest.fixture
def blocked(tmp_path, monkeypatch):
    """The names that nobody may log in under, with these lines under [lti]."""
    pytest.importorskip("tornado")
    accounts = [SimpleNamespace(pw_name=name, pw_uid=uid, pw_gid=uid) for name, uid in ACCOUNTS.items()]
    groups = {name: SimpleNamespace(gr_gid=gid, gr_mem=members) for name, (gid, members) in GROUPS.items()}
    monkeypatch.setattr(pwd, "getpwall", lambda: accounts)
    monkeypatch.setattr(grp, "getgrnam", groups.__getitem__)

    def read(more=""):
        lines = [
            f'{name} = "x"' for name in ("course", "client_id", "issuer", "authorize_url", "jwks_endpoint")
        ]
        text = "\n".join(['instructors = ["boss"]', "[lti]", *lines, more])
        settings, _ = hub_config(tmp_path, text)
        return settings.LTI13Authenticator.blocked_users

    return read


def test_nobody_gets_an_account_of_the_system_or_one_that_can_become_root(blocked):
    assert blocked() == {"root", "daemon", "ubuntu", "bo", "ops"}


def test_with_a_group_only_its_accounts_get_in(blocked):
    assert blocked('group = "students"') == ACCOUNTS.keys() - {"ann", "boss"}


def test_a_group_that_is_not_there_lets_no_student_in(blocked):
    assert blocked('group = "studnets"') == ACCOUNTS.keys() - {"boss"}


@pytest.fixture
def launched(tmp_path):
    """Somebody comes to the hub from the platform; what the hub has kept then."""
    pytest.importorskip("tornado")
    (tmp_path / "course").mkdir()
    platform = Platform()
    platform.address = "https://platform.example.org"

    def run(login, role=LEARNER, more='token_url = "https://platform.example.org/token"', **claims):
        lti = {"course": "1234", "client_id": CLIENT, "issuer": platform.address, "authorize_url": "x"}
        lines = [f'{name} = "{value}"' for name, value in {**lti, "jwks_endpoint": "x"}.items()]
        text = [f'course = "{tmp_path / "course"}"', 'instructors = ["boss"]', "[lti]", *lines, more]
        _, functions = hub_config(tmp_path, "\n".join(text))
        asked = {"client_id": CLIENT, "nonce": "n", "login_hint": login}
        token = platform.claims({**asked, "lti_message_hint": json.dumps([role])}) | claims
        warned = []
        authenticator = SimpleNamespace(log=SimpleNamespace(warning=lambda *words: warned.append(words)))
        person = functions["admit"](authenticator, None, {"name": login, "auth_state": token})
        assert person["name"] == login
        kept = tmp_path / "lti" / "launches.json"
        return (json.loads(kept.read_text()) if kept.is_file() else None), warned

    return run


def test_the_hub_keeps_where_marks_go_and_the_platforms_ids_of_students(launched, tmp_path):
    launched("ann")
    kept, _ = launched("ina", INSTRUCTOR)
    assert kept["people"] == {"ann": person_id("ann")}
    assert kept["lineitems"] == "https://platform.example.org/course/7/lineitems?type_id=3"
    assert kept["client_id"] == CLIENT and kept["token_url"] == "https://platform.example.org/token"
    assert f"{CLAIM}roles" not in kept and {"issuer", "scope"} < kept.keys()


@pytest.mark.parametrize(("course", "file"), [(0o700, 0o600), (0o750, 0o640), (0o755, 0o640)])
def test_who_may_read_it_is_who_may_read_the_course(launched, tmp_path, course, file):
    (tmp_path / "course").chmod(course)
    launched("ann")
    kept = tmp_path / "lti" / "launches.json"
    assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (file, 0o711)
    assert [path.name for path in kept.parent.iterdir()] == ["launches.json"]
    if os.geteuid() == 0:  # as the hub of a class is
        os.chown(tmp_path / "course", 1234, 5678)
        launched("bo")
        assert (kept.stat().st_uid, kept.stat().st_gid) == (1234, 5678)


def test_a_launch_without_the_services_takes_nothing_away_and_another_platform_does(launched, tmp_path):
    (tmp_path / "lti").mkdir()
    (tmp_path / "lti" / "launches.json").write_text("{")  # somebody has changed it
    launched("ann")
    endpoint = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
    kept, _ = launched("bo", **{endpoint: None})
    assert kept["lineitems"] and kept["people"].keys() == {"ann", "bo"}
    kept, _ = launched("cy", more='token_url = "https://elsewhere.example.org/token"')
    assert kept["people"].keys() == {"cy"}


def test_without_a_place_for_tokens_nothing_is_kept(launched):
    assert launched("ann", more="") == (None, [])


def test_a_login_does_not_fail_where_nothing_can_be_kept(launched, tmp_path):
    (tmp_path / "lti").write_text("in the way")
    kept, warned = launched("ann")
    assert kept is None and len(warned) == 1
