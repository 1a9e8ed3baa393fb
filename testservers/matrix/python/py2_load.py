"""The client of TestReplicas, built with the Python SDK 2.x."""

import asyncio
import contextlib

from mcp import Client
from mcp_types import ElicitResult

import load
import operations


async def elicit(context, params):
    return ElicitResult(action="accept", content=load.answer(params.message))


@contextlib.asynccontextmanager
async def connect(job):
    mode = "legacy" if job["era"] == "handshake" else "auto"
    async with Client(job["url"], mode=mode, elicitation_callback=elicit) as client:

        async def call(tool, arguments):
            result = await client.call_tool(tool, arguments)
            if result.is_error:
                raise Exception(f"isError: {result.content[0].text}")
            return result.content[0].text

        yield call


asyncio.run(load.run(operations.job(), connect))
