"""Login to a real JupyterHub from a learning platform, by LTI 1.3: who gets in, as whom, and who does not."""

from __future__ import annotations

import re
import sys
import time

import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import rsa
from lti_platform import CLAIM, CLIENT, INSTRUCTOR, LEARNER, ROLE, Platform, encoded, launch, serving, signed
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
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lti"), needs_hub]


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


@pytest.mark.parametrize("login", ["boss", "root", "daemon"])
def test_a_student_with_an_instructors_or_the_systems_name_is_refused(come, login):
    answer, known = come(login)
    assert (answer.status_code, known) == (403, None)


def test_a_token_that_was_used_lets_nobody_else_in(platform, hub):
    _, answer, form = launch(platform, hub[1], "ann", [LEARNER])
    assert answer.status_code == 200
    thief, _, _ = launch(platform, hub[1], "eve", [LEARNER])
    again = thief.post(f"{hub[1]}/hub/lti13/oauth_callback", data=form, timeout=60)
    assert again.status_code == 400 and who_is(thief, hub[1]) in (None, ("eve", []))


def test_there_is_no_other_way_in(hub):
    with requests.Session() as session:
        session.trust_env = False
        form = {"username": "ann", "password": "ann"}
        assert session.post(f"{hub[1]}/hub/login", data=form, timeout=60).status_code in (403, 404, 405)
        assert who_is(session, hub[1]) is None


def test_by_the_role_an_instructors_server_is_chosen(platform, hub):
    """It shows the clone with the course in it, which no student sees."""
    session, _, _ = launch(platform, hub[1], "ina", [INSTRUCTOR], target="/hub/spawn")
    for _ in range(240):
        shown = session.get(f"{hub[1]}/user/ina/files/{COURSE.name}/course.toml", timeout=60)
        if shown.status_code == 200 and "<html" not in shown.text:
            break
        time.sleep(0.5)  # until the server has started, the hub shows pages of its own
    assert shown.text == (COURSE / "course.toml").read_text(encoding="utf-8")
