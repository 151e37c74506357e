"""The parts of Canvas's REST API that `kqa course push canvas` uses, on the loopback address.

As on Canvas (https://canvas.instructure.com/doc/api), lists come in pages with Link headers, and form fields
are nested by brackets. Grades are set by a job that ends after a few questions. A grade for an excused
student takes the excuse away.
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

PAGE = 2  # entries; Canvas gives at most 100, whatever is asked for
POLLS = 2  # questions about a job until it ends
TOKEN = "7~aSecretOfTheTest"


def user(number, login, sis=None, email=None, name=None):
    """A student as Canvas lists one."""
    return {
        "id": number,
        "sortable_name": name or login,
        "login_id": login,
        "sis_user_id": sis,
        "email": email,
    }


class Canvas:
    """One course of Canvas's, and what was asked of it."""

    def __init__(self, users):
        self.users = users
        self.assignments = {}
        self.submissions = {}  # assignment → user → submission
        self.jobs = {}  # number → [questions left, what to do at the end]
        self.asked = []  # (method, path)
        self.refusals = {}  # pattern of "METHOD path" → (status, headers, body), or an event to wait for
        self.job_ends = "completed"
        self.ignored = set()  # users whose grades a job leaves out without a word

    def add_assignment(self, name, points, students=None, **facts):
        """Make an assignment for these users, by default for all; its number."""
        number = 9000 + len(self.assignments)
        facts = {"grading_type": "points", "published": True, **facts}
        self.assignments[number] = {
            "id": number,
            "course_id": 7,
            "name": name,
            "points_possible": points,
            **facts,
        }
        assigned = students if students is not None else [each["id"] for each in self.users]
        nothing = {"score": None, "entered_score": None, "excused": False}
        self.submissions[number] = {
            each: {"user_id": each, "assignment_id": number, **nothing} for each in assigned
        }
        return number

    def scores(self, number):
        """The marks of an assignment, by user."""
        return {each: said["entered_score"] for each, said in self.submissions[number].items()}

    def grade(self, number, fields):
        """Start the job that sets these grades."""
        grades = {
            int(key[11 : key.index("]")]): value for key, value in fields if key.startswith("grade_data[")
        }

        def end():
            for each, grade in grades.items():
                if each not in self.ignored:
                    score = float(grade) if grade else None
                    self.submissions[number][each].update(score=score, entered_score=score, excused=False)

        self.jobs[len(self.jobs) + 1] = [POLLS, end]
        return self.job(len(self.jobs))

    def job(self, number):
        """A job, after one more question."""
        left, end = self.jobs[number]
        self.jobs[number][0] -= 1
        if left == 0:
            end() if self.job_ends == "completed" else None
        state = self.job_ends if left <= 0 else "queued" if left == POLLS else "running"
        done = 100 if left <= 0 else 100 * (POLLS - left) // POLLS
        return {
            "id": number,
            "workflow_state": state,
            "completion": done,
            "message": "no grade was set" if left <= 0 else None,
        }


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    canvas: Canvas

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer("GET", [])

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.answer("POST", parse_qsl(text, keep_blank_values=True))

    def answer(self, method, fields):
        path = urlsplit(self.path).path
        self.canvas.asked.append((method, path))
        for pattern, refusal in self.canvas.refusals.items():
            if re.search(pattern, f"{method} {path}"):
                if isinstance(refusal, threading.Event):
                    refusal.wait()
                    return self.reply(503, {}, "too late")
                return self.reply(*refusal)
        if self.headers["Authorization"] != f"Bearer {TOKEN}":
            return self.reply(
                401, {"WWW-Authenticate": "Bearer"}, {"errors": [{"message": "Invalid access token."}]}
            )
        return self.route(method, path.removeprefix("/api/v1/"), fields)

    def route(self, method, path, fields):
        canvas, parts = self.canvas, path.split("/")
        match method, parts:
            case "GET", ["courses", "7"]:
                self.reply(200, {}, {"id": 7, "name": "Attention"})
            case "GET", ["courses", "7", "search_users"]:
                assert parse_qs(urlsplit(self.path).query)["enrollment_type[]"] == ["student"]
                self.page(canvas.users)
            case "GET", ["courses", "7", "assignments"]:
                self.page(list(canvas.assignments.values()))
            case "POST", ["courses", "7", "assignments"]:
                told = {key[11:-1]: value for key, value in fields if not key.endswith("[]]")}
                number = canvas.add_assignment(
                    told["name"], float(told["points_possible"]), published=told["published"] == "true"
                )
                self.reply(201, {}, canvas.assignments[number])
            case "GET", ["courses", "7", "assignments", number, "submissions"]:
                self.page(list(canvas.submissions[int(number)].values()))
            case "POST", ["courses", "7", "assignments", number, "submissions", "update_grades"]:
                self.reply(200, {}, canvas.grade(int(number), fields))
            case "GET", ["progress", number]:
                self.reply(200, {}, canvas.job(int(number)))
            case _:
                self.reply(404, {}, {"errors": [{"message": "The specified resource does not exist."}]})

    def page(self, entries):
        """One page of a list, with the address of the next in the header Link."""
        query = parse_qs(urlsplit(self.path).query)
        number = int(query.get("page", ["1"])[0])
        here = f"http://{self.headers['Host']}{urlsplit(self.path).path}"
        links = [f'<{here}?{urlencode({**query, "page": 1}, doseq=True)}>; rel="first"']
        if number * PAGE < len(entries):
            links.append(f'<{here}?{urlencode({**query, "page": number + 1}, doseq=True)}>; rel="next"')
        self.reply(200, {"Link": ",".join(links)}, entries[(number - 1) * PAGE : number * PAGE])

    def reply(self, status, headers, body):
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        with contextlib.suppress(ConnectionError):  # of a client that has gone
            self.send_response(status)
            for name, value in {
                "Content-Type": "application/json",
                "Content-Length": str(len(data)),
                **headers,
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)


@contextlib.contextmanager
def serving(canvas):
    """Serve a `Canvas`; the address of its course."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Handler,), {"canvas": canvas}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/courses/7"
    finally:
        for refusal in canvas.refusals.values():
            if isinstance(refusal, threading.Event):
                refusal.set()
        server.shutdown()
        server.server_close()
        thread.join()
