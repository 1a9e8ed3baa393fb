"""The client of TestReplicas, built with the Python SDK 1.x."""

import asyncio
import contextlib

from mcp import ClientSession, types
from mcp.client.streamable_http import streamable_http_client

import load
import operations


async def elicit(context, params):
    return types.ElicitResult(action="accept", content=load.answer(params.message))


async def progress(progress, total, message):
    pass


@contextlib.asynccontextmanager
async def connect(job):
    async with streamable_http_client(job["url"]) as streams:
        async with ClientSession(*streams[:2], elicitation_callback=elicit) as session:
            await session.initialize()

            async def call(tool, arguments):
                result = await session.call_tool(tool, arguments, progress_callback=progress)
                if result.isError:
                    raise Exception(f"isError: {result.content[0].text}")
                return result.content[0].text

            yield call


asyncio.run(load.run(operations.job(), connect))
