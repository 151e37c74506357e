"""Login from Canvas, Moodle or another platform by LTI 1.3, where settings.toml has a table [lti].
There is no other login then.

- The platform sends each person's login and the course as the custom fields `login` and `course`:
  docs/jupyterhub.md says how.
- Only people of the course get in. Another course of the platform may use the same tool, and its teachers are
  not ours.
- An instructor has the role Instructor in the course; Canvas sends it for teaching assistants, too. A role in
  the whole institution does not count.
- Nobody becomes another person of this machine: a student never gets an instructor's name, and nobody gets
  the system's, nor that of an account with more rights than a student's (`sudo`, `docker`, …). A platform may
  let people choose their logins.
- With `group` in the table, only the accounts of that group of this machine get in.
- With `token_url` in the table, marks can go back (`kqa course push lti`). The hub then keeps, in
  PLACE/lti/launches.json, what a launch says of that: where the platform takes marks, and its id of each
  student. No secret is among it.
"""

import grp
import json
import os
import pwd
import tomllib
from pathlib import Path

from tornado.web import HTTPError

settings = tomllib.loads(Path(__file__).with_name("settings.toml").read_text(encoding="utf-8"))
lti = settings["lti"]
course, instructors = str(lti["course"]), set(settings["instructors"])
LAUNCHES = Path(__file__).resolve().parents[1] / "lti" / "launches.json"
# groups whose members can become root, or read what others may not
POWERFUL = ("root", "sudo", "wheel", "admin", "adm", "docker", "lxd", "libvirt", "disk", "shadow", "kvm")


def members(name):
    """The accounts of a group of this machine, also those whose own group it is."""
    try:
        group = grp.getgrnam(name)
    except KeyError:
        return set()
    return {*group.gr_mem, *(each.pw_name for each in pwd.getpwall() if each.pw_gid == group.gr_gid)}


def refused():
    """The accounts under which nobody logs in from the platform."""
    accounts = {each.pw_name for each in pwd.getpwall()}
    system = {each.pw_name for each in pwd.getpwall() if each.pw_uid < 1000}
    powerful = {name for group in POWERFUL for name in members(group)} - instructors
    others = accounts - members(lti["group"]) - instructors if lti.get("group") else set()
    return system | powerful | others


def recognise(authenticator, handler, authentication):
    """Say who a person is, whose token is good: in the group `instructors`, a student, or refused."""
    claim = "https://purl.imsglobal.org/spec/lti/claim/"
    token = authentication["auth_state"]
    sent = token.get(claim + "custom") or {}
    name = authentication["name"]
    teaches = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor" in token[claim + "roles"]
    if not sent.get("login") or str(sent["login"]).lower() != name or name.startswith("$"):
        raise HTTPError(
            403, "the learning platform sends no login: its tool needs the custom field login=$User.username"
        )
    if str(sent.get("course")) != course:
        raise HTTPError(
            403, "this hub is for another course, or the platform's tool has no custom field course"
        )
    if name in instructors and not teaches:
        raise HTTPError(403, "this name is an instructor's on this hub, and you are a student of the course")
    return {**authentication, "groups": ["instructors"] if teaches else []}


def admit(authenticator, handler, authentication):
    """Recognise a person, and keep what the launch says of marks. A login does not fail for that."""
    person = recognise(authenticator, handler, authentication)
    if "token_url" in lti:
        try:
            keep(person["name"], authentication["auth_state"], student=not person["groups"])
        except Exception as problem:
            authenticator.log.warning("lti: %s cannot be written (%s)", LAUNCHES, problem)
    return person


def keep(name, token, student):
    """Keep where the platform takes marks, and its id of a student.

    The file has the owner of the course folder, who sends the marks. The group may read it if it may read
    that folder; nobody else may.
    """
    tool = {key: lti[key] for key in ("issuer", "client_id", "token_url", "token_audience") if key in lti}
    try:
        before = json.loads(LAUNCHES.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        before = {}
    if any(before.get(key) != value for key, value in tool.items()):
        before = {}  # of another platform, whose ids mean nothing here
    services = token.get("https://purl.imsglobal.org/spec/lti-ags/claim/endpoint") or {}
    places = {key: services.get(key) or before.get(key) for key in ("lineitems", "scope")}
    people = {**before.get("people", {}), **({name: token["sub"]} if student else {})}
    after = {**tool, **places, "people": people}
    if after == before:
        return
    owner = Path(settings["course"]).stat()
    LAUNCHES.parent.mkdir(exist_ok=True)
    LAUNCHES.parent.chmod(0o711)
    aside = LAUNCHES.with_suffix(".part")
    aside.unlink(missing_ok=True)
    with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(after, file, indent=1)
        if os.geteuid() == 0:
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
        os.fchmod(file.fileno(), 0o600 | owner.st_mode & 0o040)
    aside.replace(LAUNCHES)


c = get_config()  # noqa: F821  # JupyterHub provides it
c.JupyterHub.authenticator_class = "ltiauthenticator.lti13.auth.LTI13Authenticator"
c.LTI13Authenticator.issuer = lti["issuer"]
c.LTI13Authenticator.client_id = {lti["client_id"]}
c.LTI13Authenticator.authorize_url = lti["authorize_url"]
c.LTI13Authenticator.jwks_endpoint = lti["jwks_endpoint"]
c.LTI13Authenticator.username_key = "custom_login"
c.LTI13Authenticator.blocked_users = refused()
c.LTI13Authenticator.manage_groups = True
c.LTI13Authenticator.post_auth_hook = admit
