"""The matrix client, built with FastMCP 4."""

import asyncio

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

import operations


class Adapter:
    def __init__(self, client):
        self.client = client

    def revision(self):
        return self.client.protocol_version

    async def tools(self):
        return [t.name for t in await self.client.list_tools()]

    async def call(self, name, arguments, on_progress=None):
        result = await self.client.call_tool(name, arguments, progress_handler=on_progress, raise_on_error=False)
        return result.content[0].text

    async def pause(self, name, arguments):
        await self.client.call_tool(name, arguments)

    async def cancel(self, task):
        task.cancel()

    async def read(self, uri):
        return (await self.client.read_resource(uri))[0].text

    async def prompt(self, name, arguments):
        return (await self.client.get_prompt(name, arguments)).messages[0].content.text


async def elicit(message, response_type, params, context):
    return operations.color(message)


async def sample(messages, params, context):
    return operations.completion(messages[0].content.text)


async def main(job):
    server = job.get("url") or StdioTransport(job["command"][0], job["command"][1:], keep_alive=False)
    mode = "legacy" if job["era"] == "handshake" else "auto"
    async with Client(server, mode=mode, elicitation_handler=elicit, sampling_handler=sample) as client:
        await operations.run(Adapter(client), job)


asyncio.run(main(operations.job()))
