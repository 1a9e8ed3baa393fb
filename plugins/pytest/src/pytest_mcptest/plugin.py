"""The plugin: options, fixtures, and suites as pytest items."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any, Iterator, Optional

import pytest

from . import Driver, ExpectedFailure, Failure, McptestError, Server

_driver = pytest.StashKey()
_item = pytest.StashKey()
_calls = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mcptest")
    group.addoption("--mcptest", metavar="PATH", help="the program mcptest (default: $MCPTEST, this environment, PATH)")
    group.addoption("--mcptest-update", action="store_true", help="update snapshots")
    group.addoption("--mcptest-allow-calls", action="store_true",
                    help="let conform and fuzz call tools that are not safe")
    group.addoption("--mcptest-allow-disruptive", action="store_true",
                    help="let conform and fuzz run disruptive tests against remote servers")
    parser.addini("mcptest_server", "the server of the fixture mcp_server: a command line, or a name such as demo")
    parser.addini("mcptest_restart", "when mcp_server is restarted: run (default) or test", default="run")


def driver_of(config: pytest.Config) -> Driver:
    """Returns the driver of this process, which is started when it is first needed."""
    if _driver not in config.stash:
        flags = [flag for flag, option in (
            ("--update-snapshots", "mcptest_update"), ("--allow-calls", "mcptest_allow_calls"),
            ("--allow-disruptive", "mcptest_allow_disruptive")) if config.getoption(option)]
        driver = Driver(config.getoption("mcptest"), flags)
        driver.snapshots = lambda: _snapshots(config)
        config.stash[_driver] = driver
    return config.stash[_driver]


def pytest_unconfigure(config: pytest.Config) -> None:
    if _driver in config.stash:
        config.stash[_driver].close()
        del config.stash[_driver]


def pytest_runtest_setup(item: pytest.Item) -> None:
    item.config.stash[_item] = item
    item.config.stash[_calls] = 0


def _snapshots(config: pytest.Config) -> Optional[tuple]:
    """Returns the file of snapshots of the running test, and the key of the next call. Each test has its own file, so that
    tests can run in several processes."""
    item = config.stash.get(_item, None)
    if item is None:
        return None
    config.stash[_calls] += 1
    name = re.sub(r"[^\w.-]+", "_", f"{item.path.stem}.{item.nodeid.split('::', 1)[-1]}")
    return str(item.path.parent / "snapshots" / name), f"call {config.stash[_calls]}"


@pytest.hookimpl(hookwrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Any:
    outcome = yield
    if outcome.excinfo and issubclass(outcome.excinfo[0], ExpectedFailure):
        try:
            pytest.xfail(str(outcome.excinfo[1]))
        except BaseException as expected:  # the outcome of pytest for it
            outcome.force_exception(expected)


@pytest.fixture(scope="session")
def mcptest(request: pytest.FixtureRequest) -> Driver:
    """The running ``mcptest driver``: ``mcptest.start([...])`` starts more servers."""
    return driver_of(request.config)


@pytest.fixture(scope="session")
def mcp_server_config(request: pytest.FixtureRequest) -> Any:
    """The server of ``mcp_server``. Override it, or set ``mcptest_server`` in the config file of pytest."""
    words = shlex.split(request.config.getini("mcptest_server"))
    if not words:
        raise pytest.UsageError("no server: set mcptest_server in the config file of pytest, or override the fixture "
                                "mcp_server_config")
    return words[0] if len(words) == 1 else words


def _scope(fixture_name: str, config: pytest.Config) -> str:
    restart = config.getini("mcptest_restart")
    if restart not in ("run", "test"):
        raise pytest.UsageError(f"mcptest_restart: unknown value {restart!r}, expected run or test")
    return "session" if restart == "run" else "function"


@pytest.fixture(scope=_scope)
def mcp_server(mcptest: Driver, mcp_server_config: Any) -> Iterator[Server]:
    """The server under test."""
    server = mcptest.start(mcp_server_config)
    yield server
    server.stop()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Optional[pytest.Collector]:
    if file_path.name in ("mcptest.yaml", "mcptest.yml") or re.search(r"\.mcptest\.ya?ml$", file_path.name):
        return SuiteFile.from_parent(parent, path=file_path)
    return None


class SuiteFile(pytest.File):
    """A suite file."""

    def collect(self) -> Iterator[pytest.Item]:
        try:
            suite = driver_of(self.config).request("suite/open", {"path": str(self.path)})
        except McptestError as e:
            raise self.CollectError(str(e)) from None
        self.suite = suite["suite"]
        for test in suite["tests"]:
            yield SuiteItem.from_parent(self, name=test["name"], test=test)

    def teardown(self) -> None:
        if hasattr(self, "suite"):
            driver_of(self.config).request("suite/close", {"suite": self.suite})


class SuiteItem(pytest.Item):
    """A test of a suite file."""

    def __init__(self, *, test: dict, **more: Any):
        super().__init__(**more)
        self.test = test
        for tag in test.get("tags", []):
            self.keywords[tag] = True

    def runtest(self) -> None:
        params = {"suite": self.parent.suite, "test": self.test["id"]}
        results = driver_of(self.config).request("suite/run", params)["results"]
        failed = [f"{r['name']}: {r['message']}" if len(results) > 1 else r["message"]
                  for r in results if r["status"] in ("failed", "broken")]
        if failed:
            raise Failure("\n\n".join(failed))
        if len(results) == 1 and results[0]["status"] == "skipped":
            message = results[0]["message"]
            (pytest.xfail if message.startswith("expected failure: ") else pytest.skip)(message)

    def repr_failure(self, excinfo: pytest.ExceptionInfo, style: Any = None) -> Any:
        if isinstance(excinfo.value, (Failure, McptestError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple:
        return self.path, self.test["line"] - 1, self.name
