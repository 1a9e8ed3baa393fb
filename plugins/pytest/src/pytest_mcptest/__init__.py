"""Test MCP servers in Python, with the engines of mcptest.

The program mcptest does the work: this module speaks its protocol, see docs/driver.md.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Iterator, Optional, Sequence, Union

__all__ = ["Driver", "Failure", "McptestError", "Response", "Server", "find_program"]

PROTOCOL = 1

Description = Union[str, Sequence[str], dict]


class McptestError(Exception):
    """A request that is wrong, or could not be carried out: the server cannot be started, mcptest is missing."""


class Failure(AssertionError):
    """A failed test. Its text has the difference, the call, stderr of the server and both frames."""


class ExpectedFailure(Exception):
    """A test with xfail that failed; the plugin turns it into an xfail of pytest."""


def find_program(named: Optional[str] = None) -> str:
    """Returns the path of mcptest: the given one, $MCPTEST, the one of this Python environment, or one in PATH."""
    if named or os.environ.get("MCPTEST"):
        return named or os.environ["MCPTEST"]
    suffix = ".exe" if sys.platform == "win32" else ""
    own = Path(sysconfig.get_path("scripts")) / ("mcptest" + suffix)
    found = str(own) if own.is_file() else shutil.which("mcptest")
    if not found:
        raise McptestError("mcptest not found; run: pip install mcptest, or pass its path with --mcptest PATH")
    return found


@dataclass
class Response:
    """The response of a server. Result and error are as the server sent them."""

    id: int = 0
    result: Any = None
    error: Any = None
    text: str = ""
    is_error: bool = False
    duration_ms: float = 0
    stderr: str = ""
    stdout_noise: str = ""
    notifications: list = field(default_factory=list)
    http: Any = None
    exit_code: Optional[int] = None
    omitted: str = ""
    _server: Any = field(default=None, repr=False, compare=False)

    @property
    def structured(self) -> Any:
        """The structured content of the result of a tool."""
        return (self.result or {}).get("structuredContent")

    def expect(self, expect: Any) -> "Response":
        """Checks the response against more expectations."""
        __tracebackhide__ = True
        self._server._check("assert", {"response": self.id, "expect": expect})
        return self


class Driver:
    """A running ``mcptest driver``. It ends with this process, and so do all servers."""

    def __init__(self, program: Optional[str] = None, flags: Sequence[str] = (), cwd: Optional[str] = None):
        self._lock = threading.Lock()
        self._next = 0
        self._names: set = set()
        self.snapshots: Callable[[], Optional[str]] = lambda: None
        self.notes: list = []
        path = find_program(program)
        try:
            self._process = subprocess.Popen(
                [path, "driver", *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cwd
            )
        except OSError as e:
            raise McptestError(f"cannot start {path}: {e}") from None
        self.request("hello", {"protocol": PROTOCOL, "client": "pytest-mcptest"})

    def request(self, method: str, params: dict) -> dict:
        """Sends a request of the protocol and returns its result."""
        with self._lock:
            self._next += 1
            number = self._next
            line = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
            try:
                self._process.stdin.write(line.encode() + b"\n")
                self._process.stdin.flush()
            except OSError:
                raise McptestError("mcptest driver has ended") from None
            reply = self._receive(number)
        error = reply.get("error")
        if error:
            hint = (error.get("data") or {}).get("hint")
            raise McptestError(error["message"] + (f"\nhint: {hint}" if hint else ""))
        return reply["result"]

    def _receive(self, number: int) -> dict:
        while True:
            line = self._process.stdout.readline()
            if not line:
                raise McptestError(f"mcptest driver has ended with status {self._process.wait()}")
            reply = json.loads(line)
            if reply.get("id") == number:
                return reply
            if reply.get("method") == "note":
                self.notes = (self.notes + [reply["params"]["text"]])[-100:]

    def start(self, server: Description, *, offers: Sequence[str] = (), **more: Any) -> "Server":
        """Starts a server: a name such as "demo", a command as a list, or a mapping as in a suite."""
        described: Any = server
        if not isinstance(server, (str, dict)):
            described = {"command": [str(word) for word in server]}
        if more:
            described = {**(described if isinstance(described, dict) else {"target": described}), **more}
        taken = self._names
        name = next(n for n in ("server", *(f"server-{i}" for i in range(2, 1000))) if n not in taken)
        params: dict = {"name": name, "server": described}
        if offers:
            params["offers"] = list(offers)
        self.request("start", params)
        self._names.add(name)
        return Server(self, name)

    def stopped(self, name: str) -> None:
        self._names.discard(name)

    def close(self) -> None:
        """Stops everything."""
        with contextlib.suppress(McptestError, OSError):
            self.request("shutdown", {})
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


class Server:
    """A running server. If it exits, the next call starts it again."""

    def __init__(self, driver: Driver, name: str):
        self._driver = driver
        self.name = name
        self._collected: Optional[list] = None

    def call(self, tool: str, args: Optional[dict] = None, expect: Any = None, **options: Any) -> Response:
        """Calls a tool and checks the response. Options: timeout ("5s"), xfail, answers, snapshots, key."""
        __tracebackhide__ = True
        return self._check("call", {"tool": tool, "args": args, "expect": expect, **options})

    def read(self, uri: str, expect: Any = None, **options: Any) -> Response:
        """Reads a resource and checks the response."""
        __tracebackhide__ = True
        return self._check("read", {"uri": uri, "expect": expect, **options})

    def prompt(self, prompt: str, args: Optional[dict] = None, expect: Any = None, **options: Any) -> Response:
        """Gets a prompt and checks the response."""
        __tracebackhide__ = True
        return self._check("prompt", {"prompt": prompt, "args": args, "expect": expect, **options})

    def request(self, method: str, params: Any = None, expect: Any = None, **options: Any) -> Response:
        """Sends a request of any method and checks the response."""
        __tracebackhide__ = True
        return self._check("request", {"method": method, "params": params, "expect": expect, **options})

    def try_call(self, tool: str, args: Optional[dict] = None, **options: Any) -> Response:
        """Calls a tool and returns the response unchecked. It fails only if there is none."""
        __tracebackhide__ = True
        verdict = self._send("call", {"tool": tool, "args": args, **options})
        answer = verdict.get("response") or {}
        if "result" not in answer and "error" not in answer:
            self._report(verdict)
        return self._response(verdict)

    def must_conform(self, **options: Any) -> None:
        """Checks the server for protocol conformance. Options: with_ (as in a suite), expect, timeout, xfail."""
        __tracebackhide__ = True
        self._check("conform", options)

    def fuzz(self, **options: Any) -> None:
        """Fuzzes the safe tools of the server. Options: with_ (as in a suite), expect, timeout, xfail."""
        __tracebackhide__ = True
        self._check("fuzz", options)

    def list(self, of: str = "tools") -> list:
        """Lists tools, resources, templates or prompts, as the server sent them."""
        return self._driver.request("list", {"server": self.name, "of": of})["items"]

    def frames(self, response: Optional[Response] = None) -> dict:
        """The frames of a response, or of the last one, and what the server wrote to stderr meanwhile."""
        return self._driver.request("frames", {"server": self.name, "response": response.id if response else 0})

    @contextlib.contextmanager
    def soft(self) -> Iterator["Server"]:
        """Collects the failures of the calls in the block and raises all of them at its end."""
        __tracebackhide__ = True
        self._collected = []
        try:
            yield self
        finally:
            failures, self._collected = self._collected, None
        if failures:
            raise Failure("\n\n".join(failures))

    def stop(self) -> None:
        """Stops the server and waits for its exit."""
        self._driver.request("stop", {"server": self.name})
        self._driver.stopped(self.name)

    def _send(self, method: str, params: dict) -> dict:
        sent = {key.rstrip("_"): value for key, value in params.items() if value is not None}
        sent["server"] = self.name
        if '"snapshot"' in json.dumps(sent.get("expect")) and "snapshots" not in sent:
            named = self._driver.snapshots()
            if named:
                sent["snapshots"], sent["key"] = named
        return self._driver.request(method, sent)

    def _check(self, method: str, params: dict) -> Response:
        __tracebackhide__ = True
        verdict = self._send(method, params)
        self._report(verdict)
        return self._response(verdict)

    def _report(self, verdict: dict) -> None:
        __tracebackhide__ = True
        if verdict["status"] == "passed":
            return
        if verdict["status"] == "skipped":
            raise ExpectedFailure(verdict["message"])
        if self._collected is None:
            raise Failure(verdict["message"])
        self._collected.append(verdict["message"])

    def _response(self, verdict: dict) -> Response:
        known = Response.__dataclass_fields__
        given = {key: value for key, value in (verdict.get("response") or {}).items() if key in known}
        return Response(**given, _server=self)
