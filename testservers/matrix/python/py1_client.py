"""The matrix client, built with the Python SDK 1.x, which supports only revisions up to 2025-11-25."""

import asyncio

from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

import operations


class Adapter:
    def __init__(self, session, initialized):
        self.session, self.initialized = session, initialized

    def revision(self):
        return self.initialized.protocolVersion

    async def tools(self):
        return [t.name for t in (await self.session.list_tools()).tools]

    async def call(self, name, arguments, on_progress=None):
        return (await self.session.call_tool(name, arguments, progress_callback=on_progress)).content[0].text

    async def pause(self, name, arguments):
        self.paused = self.session._request_id  # the SDK does not expose the ID of a request otherwise
        await self.session.call_tool(name, arguments)

    async def cancel(self, task):
        params = types.CancelledNotificationParams(requestId=self.paused)
        await self.session.send_notification(types.ClientNotification(types.CancelledNotification(params=params)))
        task.cancel()

    async def read(self, uri):
        return (await self.session.read_resource(uri)).contents[0].text

    async def prompt(self, name, arguments):
        return (await self.session.get_prompt(name, arguments)).messages[0].content.text


async def elicit(context, params):
    return types.ElicitResult(action="accept", content=operations.color(params.message))


async def sample(context, params):
    text = operations.completion(params.messages[0].content.text)
    return types.CreateMessageResult(role="assistant", model="m", content=types.TextContent(type="text", text=text))


async def main(job):
    if job.get("url"):
        transport = streamable_http_client(job["url"])
    else:
        command = job["command"]
        transport = stdio_client(StdioServerParameters(command=command[0], args=command[1:]))
    async with transport as streams:
        async with ClientSession(*streams[:2], elicitation_callback=elicit, sampling_callback=sample) as session:
            await operations.run(Adapter(session, await session.initialize()), job)


asyncio.run(main(operations.job()))
