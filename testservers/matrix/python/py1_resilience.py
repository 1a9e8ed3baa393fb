"""The client of TestResilience, built with the Python SDK 1.x."""

import asyncio
import contextlib
from datetime import timedelta

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

import operations
import scenarios


@contextlib.asynccontextmanager
async def connect(s):
    if s.get("url"):
        transport = streamable_http_client(s["url"])
    else:
        transport = stdio_client(StdioServerParameters(command=s["command"][0], args=s["command"][1:]))
    async with transport as streams:
        async with ClientSession(*streams[:2]) as session:
            await session.initialize()

            async def call(arguments, limit):
                timeout = timedelta(seconds=limit) if limit else None
                return (await session.call_tool("echo", arguments, read_timeout_seconds=timeout)).content[0].text

            yield call


asyncio.run(scenarios.run(operations.job(), connect))
