"""The scenarios of test runners in pytest. Most of them fail."""

import os

import pytest

SUM = {"a": 1, "b": 2}


@pytest.fixture(scope="session")
def mcp_server_config():
    return {"command": [os.environ["SCENARIO_SERVER"]], "protocol": "2025-06-18"}


def test_pass(mcp_server):
    mcp_server.call("add", SUM, {"exact": "3"})


def test_wrong_value(mcp_server):
    mcp_server.call("add", SUM, {"exact": {"sum": 4, "exact": False}})


def test_wrong_text(mcp_server):
    mcp_server.call("lines", expect={"exact": "one\n2\nthree"})


def test_wrong_shape(mcp_server):
    mcp_server.call("add", SUM, {"schema": {"required": ["total"]}})


def test_is_error(mcp_server):
    mcp_server.call("fail")


def test_dies(mcp_server):
    mcp_server.call("die")


def test_hangs(mcp_server):
    mcp_server.call("hang", timeout="300ms")


def test_noise(mcp_server):
    mcp_server.call("noise", expect=[{"target": "stdout_noise", "exact": ""}])


def test_output_schema(mcp_server):
    mcp_server.call("shape")


def test_unknown_tool(mcp_server):
    mcp_server.call("nothing")


def test_slow_start(mcptest, mcp_server_config):
    server = mcptest.start(mcp_server_config, env={"SLOW": "300ms"})
    server.call("add", SUM, {"contains": "3"})
    server.stop()


def test_xfail(mcp_server):
    mcp_server.call("add", SUM, {"exact": "4"}, xfail="issue 12")


def test_xpass(mcp_server):
    mcp_server.call("add", SUM, {"exact": "3"}, xfail="issue 12")


def test_soft(mcp_server):
    with mcp_server.soft():
        mcp_server.call("add", SUM, {"exact": "4"})
        mcp_server.call("add", {"a": 2, "b": 2}, {"exact": "5"})
