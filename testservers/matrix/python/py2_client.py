"""The matrix client, built with the Python SDK 2.x."""

import asyncio

from mcp import Client, StdioServerParameters
from mcp_types import CreateMessageResult, ElicitResult, TextContent

import operations


class Adapter:
    def __init__(self, client):
        self.client = client

    def revision(self):
        return self.client.protocol_version

    async def tools(self):
        return [t.name for t in (await self.client.list_tools()).tools]

    async def call(self, name, arguments, on_progress=None):
        return (await self.client.call_tool(name, arguments, progress_callback=on_progress)).content[0].text

    async def result(self, name, arguments):
        r = await self.client.call_tool(name, arguments)
        return {"got": r.content[0].text, "failed": bool(r.is_error), "structured": r.structured_content}

    async def pause(self, name, arguments):
        await self.client.call_tool(name, arguments)

    async def cancel(self, task):
        task.cancel()

    async def read(self, uri):
        return (await self.client.read_resource(uri)).contents[0].text

    async def prompt(self, name, arguments):
        return (await self.client.get_prompt(name, arguments)).messages[0].content.text


async def elicit(context, params):
    return ElicitResult(action="accept", content=operations.color(params.message))


async def sample(context, params):
    text = operations.completion(params.messages[0].content.text)
    return CreateMessageResult(role="assistant", model="m", content=TextContent(type="text", text=text))


async def main(job):
    server = job.get("url")
    if not server:
        server = StdioServerParameters(command=job["command"][0], args=job["command"][1:])
    mode = "legacy" if job["era"] == "handshake" else "auto"
    async with Client(server, mode=mode, elicitation_callback=elicit, sampling_callback=sample) as client:
        await operations.run(Adapter(client), job)


asyncio.run(main(operations.job()))
