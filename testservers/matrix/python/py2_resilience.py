"""The client of TestResilience, built with the Python SDK 2.x."""

import asyncio
import contextlib

from mcp import Client, StdioServerParameters

import operations
import scenarios


@contextlib.asynccontextmanager
async def connect(s):
    server = s.get("url") or StdioServerParameters(command=s["command"][0], args=s["command"][1:])
    async with Client(server, mode="auto") as client:

        async def call(arguments, limit):
            return (await client.call_tool("echo", arguments, read_timeout_seconds=limit)).content[0].text

        yield call


asyncio.run(scenarios.run(operations.job(), connect))
