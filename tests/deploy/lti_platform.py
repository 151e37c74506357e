"""The platform's side of a login by LTI 1.3, as Canvas and Moodle have it, on the loopback address;
and the browser between.

The platform publishes its keys (JWKS), and answers an authorisation request with a page whose form carries
the signed id_token back to the hub. https://www.imsglobal.org/spec/security/v1p0/#openid_connect_launch_flow
"""

from __future__ import annotations

import base64
import contextlib
import html
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import requests
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/"
LEARNER, INSTRUCTOR = f"{ROLE}membership#Learner", f"{ROLE}membership#Instructor"
CLIENT, KEY = "10000000000042", "key-1"


def encoded(data):
    """Base64 as JSON Web Tokens have it."""
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def signed(claims, key, **header):
    """A JSON Web Token, signed with RS256."""
    text = f"{encoded({'typ': 'JWT', 'alg': 'RS256', 'kid': KEY, **header})}.{encoded(claims)}"
    return f"{text}.{encoded(key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256()))}"


class Platform:
    """A learning platform. `alter` changes the claims of the next token, `sign` makes the token of them."""

    def __init__(self):
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.address = ""
        self.alter = lambda claims: claims
        self.sign = lambda claims: signed(claims, self.key)

    def keys(self):
        """The public key, as a set of JSON Web Keys."""
        numbers = self.key.public_key().public_numbers()
        parts = {"n": encoded(numbers.n.to_bytes(256, "big")), "e": encoded(numbers.e.to_bytes(3, "big"))}
        return {"keys": [{"kty": "RSA", "alg": "RS256", "use": "sig", "kid": KEY, **parts}]}

    def token(self, asked):
        """The id_token for an authorisation request.
        `login_hint` is the person's login, `lti_message_hint` the roles.
        """
        now = int(time.time())
        claims = {
            "iss": self.address,
            "aud": asked["client_id"],
            "sub": "5f0c4a1e-0b6d-4c0e-9a55-0d6b8f3a2c11",
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
        }
        return self.sign(self.alter(claims))


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

        def reply(self, text, kind):
            self.send_response(200)
            self.send_header("Content-Type", kind)
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
