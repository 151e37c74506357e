"""The platform's side of LTI 1.3, as Canvas and Moodle have it, on the loopback address;
and the browser between.

- The platform publishes its keys (JWKS), and answers an authorisation request with a page whose form carries
  the signed id_token back to the hub.
  https://www.imsglobal.org/spec/security/v1p0/#openid_connect_launch_flow
- It gives access tokens for assertions that the tool's key has signed, and has line items that take scores.
  As on Moodle, the address of a line item has a query; as on Canvas, lists come in pages and a person who is
  not in the course is refused with 422. https://www.imsglobal.org/spec/lti-ags/v2p0
"""

from __future__ import annotations

import base64
import contextlib
import html
import json
import re
import runpy
import shutil
import threading
import time
import uuid
from datetime import datetime
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import requests
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from environments import ROOT

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/"
LEARNER, INSTRUCTOR = f"{ROLE}membership#Learner", f"{ROLE}membership#Instructor"
CLIENT, KEY = "10000000000042", "key-1"
RIGHT, TYPE = "https://purl.imsglobal.org/spec/lti-ags/scope/", "application/vnd.ims.lis."
SCOPES = [f"{RIGHT}{name}" for name in ("lineitem", "lineitem.readonly", "result.readonly", "score")]
CONFIG = ROOT / "deploy" / "one_machine" / "etc" / "lti_config.py"
PAGE = 2  # line items
REQUIRED = {"userId", "timestamp", "activityProgress", "gradingProgress"}


def encoded(data):
    """Base64 as JSON Web Tokens have it."""
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def signed(claims, key, **header):
    """A JSON Web Token, signed with RS256."""
    text = f"{encoded({'typ': 'JWT', 'alg': 'RS256', 'kid': KEY, **header})}.{encoded(claims)}"
    return f"{text}.{encoded(key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256()))}"


def person_id(login):
    """A platform's id of a person, which says nothing of the login."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, login))


def decoded(text):
    """The bytes of such base64."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Gradebook:
    """The line items of a platform's course, and who may change them."""

    address = ""

    def __init__(self):
        self.tool_keys = []  # JSON Web Keys of the tool
        self.scopes = SCOPES  # of the tool
        self.lasts = 1000  # requests, until an access token has expired
        self.tokens = {}  # access token → [scopes, requests that are left]
        self.used = set()  # names of assertions
        self.people = set()  # ids of the students of the course
        self.items = {}  # number → line item
        self.scores = {}  # (number, person) → the last score
        self.asked = []  # (method, path)
        self.refusals = []  # [pattern of "METHOD path", status, headers], each for one request

    @property
    def lineitems(self):
        """The address of all line items."""
        return f"{self.address}/course/7/lineitems?type_id=3"

    def add(self, label, maximum, resource=""):
        """Make a line item; its number."""
        number = str(len(self.items) + 1)
        address = self.lineitems.replace("?", f"/{number}/lineitem?")
        self.items[number] = {"id": address, "label": label, "scoreMaximum": maximum, "resourceId": resource}
        return number

    def marks(self, number):
        """The marks of a line item as a teacher sees them, by person: scaled to the item's maximum."""
        return {
            person: score["scoreGiven"] * self.items[number]["scoreMaximum"] / score["scoreMaximum"]
            for (item, person), score in self.scores.items()
            if item == number and score["gradingProgress"] == "FullyGraded"
        }

    def access(self, form):
        """The answer to a request for an access token: a status and a body."""
        head, body, signature = form["client_assertion"].split(".")
        header, claims, now = json.loads(decoded(head)), json.loads(decoded(body)), time.time()
        (key,) = [key for key in self.tool_keys if key["kid"] == header.get("kid")] or [None]
        if key is None or header["alg"] != "RS256":
            return 400, {"error": "invalid_client"}
        modulus, exponent = (int.from_bytes(decoded(key[name]), "big") for name in ("n", "e"))
        try:
            rsa.RSAPublicNumbers(exponent, modulus).public_key().verify(
                decoded(signature), f"{head}.{body}".encode(), padding.PKCS1v15(), hashes.SHA256()
            )
        except InvalidSignature:
            return 400, {"error": "invalid_client"}
        right = (form["grant_type"], form["client_assertion_type"]) == (
            "client_credentials",
            "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        )
        right = (
            right and claims["iss"] == claims["sub"] == CLIENT and claims["aud"] == f"{self.address}/token"
        )
        if not right or not claims["iat"] <= now < claims["exp"] <= now + 3600 or claims["jti"] in self.used:
            return 400, {"error": "invalid_client"}
        self.used.add(claims["jti"])
        granted = [scope for scope in form["scope"].split() if scope in self.scopes]
        if not granted:
            return 400, {"error": "invalid_scope"}
        token = f"access-{len(self.used)}"
        self.tokens[token] = [granted, self.lasts]
        body = {"access_token": token, "token_type": "Bearer", "expires_in": 3600}
        return 200, {**body, "scope": " ".join(granted)}

    def service(self, method, path, query, headers, body):
        """The answer to a request for a service: a status, a body and headers."""
        parts = path.removeprefix("/course/7/lineitems").split("/")[1:]
        needed, kind = {
            ("GET", 0): ("lineitem", "v2.lineitemcontainer+json"),
            ("POST", 0): ("lineitem", "v2.lineitem+json"),
            ("GET", 2): ("lineitem", "v2.lineitem+json"),
            ("POST", 3): ("score", "v1.score+json"),
        }[method, len(parts)]
        token = self.tokens.get(headers["Authorization"].removeprefix("Bearer "), [[], 0])
        token[1] -= 1
        rights = {RIGHT + needed, *([f"{RIGHT}lineitem.readonly"] if method == "GET" else [])}
        if token[1] < 0 or not rights & set(token[0]):
            return 401, {"error": "invalid_token"}, {}
        if (
            query.get("type_id") != ["3"]
            or headers["Accept" if method == "GET" else "Content-Type"] != TYPE + kind
        ):
            return 400, {"error": "the address or the type is wrong"}, {}
        if method == "POST" and not parts:
            facts = json.loads(body)
            number = self.add(facts["label"], facts["scoreMaximum"], facts["resourceId"])
            return 201, self.items[number], {}
        if not parts:
            page, items = int(query.get("page", ["1"])[0]), list(self.items.values())
            more = {"Link": f'<{self.lineitems}&page={page + 1}>; rel="next"'}
            return 200, items[(page - 1) * PAGE : page * PAGE], more if page * PAGE < len(items) else {}
        if parts[0] not in self.items:
            return 404, {"error": "no such line item"}, {}
        return (
            (200, self.items[parts[0]], {})
            if method == "GET"
            else (*self.take(parts[0], json.loads(body)), {})
        )

    def take(self, number, score):
        """Take a score, if it is one, of a student of the course, and newer than what there is."""
        when = datetime.fromisoformat(score.get("timestamp", "-"))
        fits = score.keys() >= REQUIRED and when.tzinfo and "." in score["timestamp"]
        if not fits or ("scoreGiven" in score and not score["scoreMaximum"] > 0):
            return 400, {"error": "this is no score"}
        if score["userId"] not in self.people:
            return 422, {"error": "User not found in course or is not a student"}
        before = self.scores.get((number, score["userId"]))
        if before is not None and datetime.fromisoformat(before["timestamp"]) >= when:
            return 409, {"error": "there is a newer score"}
        self.scores[number, score["userId"]] = score
        return 200, {"resultUrl": f"{self.address}/result"}


class Platform(Gradebook):
    """A learning platform. `alter` changes the claims of the next token, `sign` makes the token of them."""

    def __init__(self):
        super().__init__()
        self.alter = lambda claims: claims
        self.sign = lambda claims: signed(claims, self.key)

    @cached_property
    def key(self):
        """The private key, which only logins need."""
        return rsa.generate_private_key(public_exponent=65537, key_size=2048)

    def keys(self):
        """The public key, as a set of JSON Web Keys."""
        numbers = self.key.public_key().public_numbers()
        parts = {"n": encoded(numbers.n.to_bytes(256, "big")), "e": encoded(numbers.e.to_bytes(3, "big"))}
        return {"keys": [{"kty": "RSA", "alg": "RS256", "use": "sig", "kid": KEY, **parts}]}

    def token(self, asked):
        """The id_token for an authorisation request.
        `login_hint` is the person's login, `lti_message_hint` the roles.
        """
        return self.sign(self.alter(self.claims(asked)))

    def claims(self, asked):
        """What the token says."""
        now = int(time.time())
        return {
            "iss": self.address,
            "aud": asked["client_id"],
            "sub": person_id(asked["login_hint"]),
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            f"{CLAIM}version": "1.3.0",
            f"{CLAIM}message_type": "LtiResourceLinkRequest",
            f"{CLAIM}deployment_id": "1",
            f"{CLAIM}target_link_uri": "http://hub",
            f"{CLAIM}resource_link": {"id": "link"},
            f"{CLAIM}roles": json.loads(asked["lti_message_hint"]),
            f"{CLAIM}custom": {"login": asked["login_hint"], "course": "1234"},
            "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": {
                "scope": self.scopes,
                "lineitems": self.lineitems,
            },
        }


class Settings(SimpleNamespace):
    """JupyterHub's settings: every section is there."""

    def __getattr__(self, name):
        section = Settings()
        setattr(self, name, section)
        return section


def hub_config(place, text):
    """The hub's own code for such logins, with these settings, in the folder `place`;
    its settings of JupyterHub and its functions.
    """
    (place / "etc").mkdir(exist_ok=True)
    shutil.copy(CONFIG, place / "etc")
    (place / "etc" / "settings.toml").write_text(text)
    settings = Settings()
    functions = runpy.run_path(str(place / "etc" / CONFIG.name), {"get_config": lambda: settings})
    return settings, functions


@contextlib.contextmanager
def serving(platform):
    """Serve a platform."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            parts = urlsplit(self.path)
            if parts.path == "/jwks":
                return self.reply(json.dumps(platform.keys()), "application/json")
            if parts.path.startswith("/course/"):
                return self.serve("GET", parts, b"")
            asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
            assert (asked["scope"], asked["response_type"], asked["response_mode"]) == (
                "openid",
                "id_token",
                "form_post",
            )
            fields = {"id_token": platform.token(asked), "state": asked["state"]}
            inputs = "".join(
                f'<input name="{name}" value="{html.escape(value)}">' for name, value in fields.items()
            )
            return self.reply(
                f'<form action="{html.escape(asked["redirect_uri"])}" method="post">{inputs}</form>',
                "text/html",
            )

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            return self.serve("POST", urlsplit(self.path), body)

        def serve(self, method, parts, body):
            """Answer a request for an access token or a service."""
            platform.asked.append((method, parts.path))
            for refusal in platform.refusals:
                if re.search(refusal[0], f"{method} {parts.path}"):
                    platform.refusals.remove(refusal)
                    return self.reply("{}", "application/json", *refusal[1:])
            if parts.path == "/token":
                form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
                status, answer = platform.access(form)
                return self.reply(json.dumps(answer), "application/json", status)
            query = parse_qs(parts.query)
            status, answer, more = platform.service(method, parts.path, query, self.headers, body)
            return self.reply(json.dumps(answer), "application/json", status, more)

        def reply(self, text, kind, status=200, headers=()):
            self.send_response(status)
            for name, value in {"Content-Type": kind, **dict(headers)}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text.encode())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    platform.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield platform
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def launch(platform, hub, login, roles, target="/hub/home"):
    """Do as a browser does after a click on the tool.
    Returns the session, the hub's answer, and the form that was sent to it.
    """
    session = requests.Session()
    session.trust_env = False  # no proxy
    asked = {
        "iss": platform.address,
        "client_id": CLIENT,
        "login_hint": login,
        "target_link_uri": f"{hub}{target}",
    }
    asked |= {"lti_message_hint": json.dumps(roles), "lti_deployment_id": "1"}
    page = session.post(f"{hub}/hub/lti13/oauth_login", data=asked, timeout=60)
    assert page.status_code == 200, page.text
    form = dict(re.findall(r'<input name="(\w+)" value="([^"]*)">', page.text))
    address = html.unescape(re.search(r'<form action="([^"]*)"', page.text)[1])
    assert address == f"{hub}/hub/lti13/oauth_callback"
    return session, session.post(address, data=form, timeout=60), form
