"""Client of a Suture gateway, written by `suture types --python`. Needs Python 3.11 and its standard library."""

import email.utils
import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Generic, Iterator, Literal, NotRequired, Required, TypedDict, TypeVar, Union, overload

# types

Result = TypeVar("Result")

_ATTEMPT_S = 30.0
_UPLOAD_S = 600.0
_SILENCE_S = 60.0
_WAIT_S_MAX = 30.0
_PAUSE_S = 0.25
_PAUSE_S_MAX = 5.0
_PASSING = {429, 502, 503, 504}
_WAITING = {"queued", "running", "in_ward", "quarantined"}


class SutureError(Exception):
    """Anything that went wrong. Branch on `code` and `failure_class`, never on the message."""

    def __init__(self, code: str, failure_class: str, message: str, remedy: str, **more: Any) -> None:
        super().__init__(f"{message} {remedy}")
        self.code = code
        self.failure_class = failure_class
        self.remedy = remedy
        self.status: int | None = more.get("status")
        self.issues: list[dict[str, str]] = more.get("issues", [])
        self.trace_id: str | None = more.get("trace_id")
        self.retry_after: float | None = more.get("retry_after")


class RunNotCompletedError(SutureError):
    """The run ended without a result. `reason` is the error of its record."""

    def __init__(self, run: Any) -> None:
        status, reason = run["status"], run.get("error")
        found = reason.get("class") if isinstance(reason, dict) else None
        super().__init__(
            "RUN_NOT_COMPLETED",
            found or (status if status in ("cancelled", "expired") else "rejected"),
            f"Run {run['run_id']} is {status}.",
            "Look at the run's error and events; submit the task anew with another idempotency key.",
        )
        self.run_id: str = run["run_id"]
        self.run_status: str = status
        self.reason = reason


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect may lead to another origin, which must not get the key or the task."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


class Run(Generic[Result]):
    """A run of a team."""

    def __init__(self, client: "Client", run_id: str) -> None:
        self.id = run_id
        self._client = client
        self._path = f"/v1/runs/{urllib.parse.quote(run_id, safe='')}"

    def show(self) -> dict[str, Any]:
        """Returns the run as it is now, with its hops."""
        return self._client._json("GET", self._path)

    def cancel(self) -> dict[str, Any]:
        """Asks for the run's end. Needs a key of scope operator."""
        return self._client._json("POST", f"{self._path}/cancel")

    def result(self, timeout: float = 600.0) -> Result:
        """Waits for the run's end, at most `timeout` seconds, and returns its result."""
        until = time.monotonic() + timeout
        while True:
            left = max(0.0, until - time.monotonic())
            wait = min(_WAIT_S_MAX, left)
            run = self._client._json(
                "GET",
                f"{self._path}?wait={wait:.3f}",
                attempt_s=min(wait + _ATTEMPT_S, left + 1.0),
                retry_s=min(self._client._retry_s, left),
            )
            if run["status"] == "completed":
                return run["result"]
            if run["status"] not in _WAITING:
                raise RunNotCompletedError(run)
            if time.monotonic() >= until:
                message = f"Run {self.id} did not end within {timeout} s."
                raise SutureError("RESULT_TIMED_OUT", "timeout", message, "Ask again later.")
            time.sleep(0.1)

    def events(self) -> Iterator[dict[str, Any]]:
        """Yields the run's events to its end, each once, also over connections that break."""
        last, attempt = -1, 0
        while True:
            headers = {} if last < 0 else {"last-event-id": str(last)}
            with self._client._send("GET", f"{self._path}/events", headers, attempt_s=_SILENCE_S) as reply:
                if reply.status == 204:
                    return
                for position, event in _read_events(reply):
                    if event is None:
                        return
                    if position > last:
                        last, attempt = position, 0
                        yield event
            time.sleep(_growing_pause(attempt))
            attempt += 1


class Client:
    """A client of a gateway. `key` is sent to `url` alone; calls are repeated for `retry_s` seconds."""

    def __init__(self, url: str, key: str, retry_s: float = 60.0) -> None:
        self._base = url.rstrip("/")
        self._key = key
        self._retry_s = retry_s

    # submit

    def _submit(self, team: str, input: Any, idempotency_key: str | None, terms: dict[str, Any]) -> Run[Any]:
        headers = {"content-type": "application/json", "idempotency-key": idempotency_key or uuid.uuid4().hex}
        body = json.dumps({**terms, "team": team, "input": input}).encode()
        return Run(self, self._json("POST", "/v1/tasks", headers, body)["run_id"])

    def run(self, run_id: str) -> Run[Any]:
        """Returns a handle on a run that was submitted before."""
        return Run(self, run_id)

    def upload(self, content: bytes, mime_type: str = "application/octet-stream") -> dict[str, Any]:
        """Stores content by its hash; returns the reference for a task's input."""
        stored = self._json("POST", "/v1/blobs", {"content-type": mime_type}, content, attempt_s=_UPLOAD_S)
        return {name: value for name, value in stored.items() if name != "id"}

    def _json(
        self,
        method: str,
        path: str,
        headers: dict[str, str] | None = None,
        body: bytes | None = None,
        attempt_s: float = _ATTEMPT_S,
        retry_s: float | None = None,
    ) -> Any:
        return self._send(method, path, headers, body, attempt_s, retry_s, is_json=True)

    def _send(
        self,
        method: str,
        path: str,
        headers: dict[str, str] | None = None,
        body: bytes | None = None,
        attempt_s: float = _ATTEMPT_S,
        retry_s: float | None = None,
        is_json: bool = False,
    ) -> Any:
        until = time.monotonic() + (self._retry_s if retry_s is None else retry_s)
        attempt = 0
        while True:
            try:
                return self._attempt(method, path, headers or {}, body, attempt_s, is_json)
            except SutureError as error:
                is_passing = error.code == "GATEWAY_UNREACHABLE" or error.status in _PASSING
                pause = _growing_pause(attempt) if error.retry_after is None else error.retry_after
                if not is_passing or time.monotonic() + pause > until:
                    raise
                time.sleep(pause)
            attempt += 1

    def _attempt(
        self, method: str, path: str, headers: dict[str, str], body: bytes | None, attempt_s: float, is_json: bool
    ) -> Any:
        request = urllib.request.Request(self._base + path, data=body, method=method, headers=headers)
        request.add_unredirected_header("authorization", f"Bearer {self._key}")
        try:
            reply = _opener.open(request, timeout=attempt_s)
            if not is_json:
                return reply
            with reply:
                return json.loads(reply.read())
        except urllib.error.HTTPError as error:
            with error:
                raise _problem_of(error) from None
        except json.JSONDecodeError:
            message = f"{self._base} answered with something that is not a gateway's answer."
            raise SutureError("ANSWER_UNREADABLE", "parse_error", message, "Check the address.") from None
        except (OSError, http.client.HTTPException) as error:
            message = f"The gateway at {self._base} gives no answer."
            remedy = "Check its address and that it runs."
            raise SutureError("GATEWAY_UNREACHABLE", "transient", message, remedy) from error


def _problem_of(error: urllib.error.HTTPError) -> SutureError:
    if 300 <= error.code < 400:
        message = "The address answers with a redirect, which is not followed."
        return SutureError(
            "REDIRECT_REFUSED", "validation_error", message, "Give the gateway's final address.", status=error.code
        )
    try:
        problem = json.loads(error.read())
        return SutureError(
            problem["code"].upper(),
            problem["failure_class"],
            problem["detail"].replace(problem["remedy"], "").strip(),
            problem["remedy"],
            status=error.code,
            issues=problem["errors"],
            trace_id=problem["trace_id"],
            retry_after=_retry_after(error.headers),
        )
    except (ValueError, KeyError, TypeError, AttributeError, OSError, http.client.HTTPException):
        message = f"The address answered {error.code} with something that is not a gateway's answer."
        failure_class = "transient" if error.code >= 500 else "parse_error"
        return SutureError("ANSWER_UNREADABLE", failure_class, message, "Check the address.", status=error.code)


def _retry_after(headers: Any) -> float | None:
    """Seconds, or a date, which is compared with the answer's own date: clocks may differ."""
    value = headers.get("retry-after") or ""
    if value.isdecimal():
        return float(value)
    try:
        then, now = (email.utils.parsedate_to_datetime(one) for one in (value, headers.get("date") or ""))
        return max(0.0, (then - now).total_seconds())
    except (ValueError, TypeError):
        return None


def _growing_pause(attempt: int) -> float:
    return min(_PAUSE_S_MAX, _PAUSE_S * 2 ** min(attempt, 10)) * (0.5 + random.random() / 2)


def _read_events(reply: Any) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Yields positions and events; None at the end of the run. Ends where the stream breaks off."""
    fields: dict[str, str] = {}
    try:
        for line in reply:
            name, _, value = line.decode().rstrip("\r\n").partition(": ")
            if name != "":
                fields[name] = value
                continue
            if fields.get("event") == "end":
                yield 0, None
            elif "data" in fields and line.endswith(b"\n"):
                yield int(fields["id"]), json.loads(fields["data"])
            fields = {}
    except (OSError, http.client.HTTPException):
        return
