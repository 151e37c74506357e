"""A platform's gradebook, through LTI's Assignment and Grade Services 2.0: what is read and what is sent.

- The hub keeps what launches say of it (`deploy/one_machine/etc/lti_config.py`): where the platform takes
  marks, and its id of each student. No secret is among it.
- The only secret is a private key, in a file that nobody else may read. The platform knows its public half.
- An access token is asked for with an assertion that this key signs (RFC 7523), and is kept in memory. When
  the platform no longer accepts it, a new one is asked for, once for each request.
- What a platform cannot do now (429, 5xx) is tried again, after the pause that it asks for.

https://www.imsglobal.org/spec/lti-ags/v2p0, https://www.imsglobal.org/spec/security/v1p0
"""

from __future__ import annotations

import hashlib
import json
import os
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jwt
import requests
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from kqa_core.errors import UserError, readable
from kqa_core.files import read_private, write_whole, writing

RIGHT = "https://purl.imsglobal.org/spec/lti-ags/scope/"
SCORE, ITEM, READ_ITEM = f"{RIGHT}score", f"{RIGHT}lineitem", f"{RIGHT}lineitem.readonly"
TYPE = "application/vnd.ims.lis."
SCORE_TYPE, ITEM_TYPE, ITEMS_TYPE = (
    f"{TYPE}v1.score+json",
    f"{TYPE}v2.lineitem+json",
    f"{TYPE}v2.lineitemcontainer+json",
)
ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
TIMEOUT = (10, 60)  # seconds: to connect, and without a byte of the answer
TRIES = 4  # of one request that the platform cannot answer now
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds between two tries
HERE = ("127.0.0.1", "localhost", "::1")
AGAIN = "give the same command again: it sends what is missing"


@dataclass(frozen=True)
class Launches:
    """What the hub has kept of the platform's launches."""

    client_id: str
    token_url: str
    token_audience: str  # of the assertion
    lineitems: str  # the address of the course's line items
    scope: frozenset[str]  # what the tool may do
    people: Mapping[str, str]  # login in small letters → the platform's id (`sub`)


@dataclass(frozen=True)
class LineItem:
    """A column of the platform's gradebook. `id` is its address."""

    id: str
    label: str
    maximum: float
    resource: str = ""  # our name of what it is for, if we made it


class Refused(Exception):
    """The platform did not do one thing that was asked."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(f"{status}{f', {reason}' if reason else ''}")
        self.status = status


@dataclass
class LtiPlatform:
    """A course on a platform. Methods raise UserError where going on makes no sense, else `Refused`."""

    launches: Launches
    key: RSAPrivateKey
    _token: str = ""
    _session: requests.Session = field(default_factory=requests.Session)

    def __post_init__(self) -> None:
        scope = self.launches.scope
        if SCORE not in scope or not scope & {ITEM, READ_ITEM}:
            raise UserError(
                f"{self.launches.lineitems}: the launches give this tool no right to read line items and send"
                " scores; allow both where the tool is registered there, and open the hub from the platform"
            )

    def line_items(self) -> list[LineItem]:
        """All line items of the course that this tool may see."""
        items: list[LineItem] = []
        address: str | None = self.launches.lineitems
        seen = set()
        while address is not None and address not in seen:
            seen.add(address)
            answer = self._must("list the line items", "GET", address, ITEMS_TYPE)
            items += [_line_item(facts) for facts in _json(answer, list)]
            address = answer.links.get("next", {}).get("url")
        return items

    def create_line_item(self, name: str, maximum: float) -> LineItem:
        """Make a line item for a notebook."""
        facts = {"label": name, "scoreMaximum": maximum, "resourceId": name}
        answer = self._must(f"make a line item for {name}", "POST", self.launches.lineitems, ITEM_TYPE, facts)
        return _line_item(_json(answer, dict))

    def has(self, item: LineItem) -> bool:
        """Whether a line item is still there."""
        try:
            self._ask("GET", item.id, ITEM_TYPE)
        except Refused:
            return False
        return True

    def post_score(self, item: LineItem, score: Mapping[str, object]) -> None:
        """Send a score, with the time of now: a platform refuses one that is not newer than what it has."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._ask("POST", _below(item.id, "scores"), SCORE_TYPE, {**score, "timestamp": now})

    def _must(self, doing: str, *asked: Any) -> requests.Response:
        try:
            return self._ask(*asked)
        except Refused as refused:
            raise UserError(
                f"{asked[1]}: the platform did not {doing} ({refused}); correct that there, and {AGAIN}"
            ) from None

    def _ask(
        self, method: str, address: str, kind: str, body: Mapping[str, object] | None = None
    ) -> requests.Response:
        """The answer to a request with an access token. `kind`: the type of what is sent, else expected."""
        headers = {"Accept" if body is None else "Content-Type": kind}
        data = None if body is None else json.dumps(body, allow_nan=False).encode()
        for new in (not self._token, True):
            token = self._new_token() if new else self._token
            answer = self._patiently(method, address, headers=headers, data=data, auth=_Bearer(token))
            if answer.status_code != 401:
                break
        if answer.status_code == 401:
            raise UserError(
                f"{address}: the platform does not accept its own new access token ({_said(answer)}); check"
                " there what this tool may do"
            )
        if answer.status_code >= 300:
            raise Refused(answer.status_code, _said(answer))
        return answer

    def _new_token(self) -> str:
        """Ask for an access token, as the security framework's section 4.1.1 says."""
        launches, now = self.launches, int(time.time())
        claims = {
            "iss": launches.client_id,
            "sub": launches.client_id,
            "aud": launches.token_audience,
            "iat": now - 5,  # the platform's clock may be behind
            "exp": now + 300,
            "jti": uuid.uuid4().hex,
        }
        kid = public_keys(self.key)["keys"][0]["kid"]
        form = {
            "grant_type": "client_credentials",
            "client_assertion_type": ASSERTION_TYPE,
            "client_assertion": jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": kid}),
            "scope": " ".join(sorted(launches.scope & {SCORE, ITEM, READ_ITEM})),
        }
        answer = self._patiently("POST", launches.token_url, data=form, auth=_Bearer(""))
        if answer.status_code >= 300:
            raise UserError(
                f"{launches.token_url}: the platform gives no access token ({_said(answer)}); check that it"
                " has this tool's public key (`kqa course push lti-key`), and that client_id and token_url in"
                " settings.toml are the platform's"
            )
        self._token = str(_json(answer, dict).get("access_token") or "")
        return self._token

    def _patiently(self, method: str, address: str, **asked: Any) -> requests.Response:
        """The answer to a request, which is repeated while the platform cannot answer it."""
        _check_address(address)
        try:
            for attempt in range(TRIES):
                answer = self._session.request(
                    method, address, timeout=TIMEOUT, allow_redirects=False, **asked
                )
                busy = answer.status_code == 429 or answer.status_code >= 500
                if not busy or attempt == TRIES - 1:
                    break
                time.sleep(_pause(answer, attempt))
        except requests.Timeout:
            raise UserError(f"{address}: gave no answer within {TIMEOUT[1]} s; later, {AGAIN}") from None
        except requests.RequestException:
            raise UserError(
                f"{address}: cannot be reached; check the address and the network, and {AGAIN}"
            ) from None
        if answer.status_code == 429:
            raise UserError(f"{address}: the platform limits how much may be asked; later, {AGAIN}")
        if answer.status_code in (502, 503, 504):
            raise UserError(f"{address}: the platform cannot answer now ({_said(answer)}); later, {AGAIN}")
        return answer


class _Bearer(requests.auth.AuthBase):
    """The access token of a request, if there is one. As `auth` it comes before a password in ~/.netrc."""

    def __init__(self, token: str) -> None:
        self.token = token

    def __call__(self, request: Any) -> Any:
        if self.token:
            request.headers["Authorization"] = f"Bearer {self.token}"
        return request


def read_launches(path: Path) -> Launches:
    """What the hub has kept. Raises UserError for a file that is not there, or lacks something."""
    help = "the hub writes it when somebody opens it from the platform, if [lti] has token_url"
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}); {help}") from None
    except ValueError:
        facts = None
    texts = ("client_id", "token_url", "lineitems")
    if not isinstance(facts, dict) or not isinstance(facts.get("people"), dict):
        raise UserError(f"{path}: is not the hub's file of launches; {help}")
    missing = [name for name in texts if not isinstance(facts.get(name), str)]
    if missing or not isinstance(facts.get("scope"), list):
        raise UserError(
            f"{path}: has no {', '.join(missing) or 'scope'}; allow this tool the Assignment and Grade"
            " Services on the platform, and open the hub from there once more"
        )
    for name in texts[1:]:
        _check_address(facts[name])
    people = {str(login).casefold(): str(user) for login, user in facts["people"].items()}
    audience = str(facts.get("token_audience") or facts["token_url"])
    return Launches(
        facts["client_id"],
        facts["token_url"],
        audience,
        facts["lineitems"],
        frozenset(facts["scope"]),
        people,
    )


def make_key(path: Path) -> bool:
    """Make a private key in a file for its owner alone, unless there is one. Returns whether it is new."""
    if os.path.lexists(path):
        return False
    key = generate_private_key(public_exponent=65537, key_size=2048)
    with writing(path):
        write_whole(path, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), mode=0o600)
    return True


def read_key(path: Path) -> RSAPrivateKey:
    """The private key. Raises UserError for one that others may read; never says what the key is."""
    help = "`kqa course push lti-key` makes one"
    try:
        key = load_pem_private_key(read_private(path, help), None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, RSAPrivateKey):
        raise UserError(f"{path}: holds no RSA key without a password; {help} in another place (--key)")
    return key


def public_keys(key: RSAPrivateKey) -> dict[str, list[dict[str, str]]]:
    """The public half as a set of JSON Web Keys. Its name is its thumbprint (RFC 7638)."""
    facts = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
    whole = {name: facts[name] for name in ("e", "kty", "n")}
    thumbprint = hashlib.sha256(json.dumps(whole, separators=(",", ":")).encode()).digest()
    kid = jwt.utils.base64url_encode(thumbprint).decode()
    return {"keys": [{**whole, "kid": kid, "alg": "RS256", "use": "sig"}]}


def public_pem(key: RSAPrivateKey) -> str:
    """The public half as Moodle takes it."""
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def _below(address: str, name: str) -> str:
    """The address below a line item's. A query stays at its end: Moodle's has one."""
    parts = urlsplit(address)
    return parts._replace(path=f"{parts.path}/{name}").geturl()


def _check_address(address: str) -> None:
    """Raise UserError for an address to which the access token would travel unencrypted."""
    try:
        parts = urlsplit(address)
        fits = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in HERE)
    except ValueError:
        fits = False
    if not fits or not parts.hostname:
        raise UserError(f"LTI: {readable(address)!r} is no address of a platform; expected one with https")


def _pause(answer: requests.Response, attempt: int) -> float:
    """Seconds to wait before a request is repeated."""
    asked = answer.headers.get("Retry-After", "")
    return min(float(asked) if asked.isdecimal() else FIRST_PAUSE * 2.0**attempt, LONGEST_PAUSE)


def _said(answer: requests.Response) -> str:
    """The platform's own words, in one line."""
    return readable(f"{answer.reason or ''} {answer.text[:300]}".strip())[:200]


def _json(answer: requests.Response, kind: type) -> Any:
    try:
        body = answer.json()
    except ValueError:
        body = None
    if not isinstance(body, kind):
        raise UserError(f"{answer.url}: the answer is not a platform's; check lineitems and token_url")
    return body


def _line_item(facts: Any) -> LineItem:
    try:
        return LineItem(
            str(facts["id"]),
            str(facts["label"]),
            float(facts["scoreMaximum"]),
            str(facts.get("resourceId") or ""),
        )
    except (KeyError, TypeError, ValueError):
        raise UserError(
            f"LTI: {readable(str(facts))!r} is no line item; the platform's answer is wrong"
        ) from None
