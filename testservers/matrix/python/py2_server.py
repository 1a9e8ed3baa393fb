"""The matrix server, built with the Python SDK 2.x. It supports all revisions."""

from typing import Annotated

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve, Sample
from mcp_types import CreateMessageResult, SamplingMessage, TextContent
from pydantic import BaseModel

import states

args = states.options()
server = MCPServer("py2", log_level="WARNING")


class Color(BaseModel):
    color: str


@server.tool()
def echo(text: str) -> str:
    return text


@server.tool()
async def count(steps: int, key: str, ctx: Context) -> str:
    for step in range(1, steps + 1):
        await ctx.report_progress(step, steps)
    await states.held(key)
    return "done"


@server.tool()
async def release(key: str) -> str:
    return await states.release(key)


@server.tool()
async def pause(key: str) -> str:
    return await states.pause(key)


@server.tool()
def state(key: str) -> str:
    return states.state(key)


def which_color() -> Elicit[Color]:
    return Elicit("Which color?", Color)


def say_hi() -> Sample:
    return Sample([SamplingMessage(role="user", content=TextContent(type="text", text="Say hi"))], max_tokens=10)


@server.tool()
def ask(answer: Annotated[Color, Resolve(which_color)]) -> str:
    return f"accept {answer.color}"


@server.tool()
def sample(result: Annotated[CreateMessageResult, Resolve(say_hi)]) -> str:
    return result.content.text


@server.resource("matrix://note")
def note() -> str:
    return "a note"


@server.prompt()
def greet(name: str) -> str:
    return f"Hello, {name}"


if args.http:
    server.run("streamable-http", port=args.http)
else:
    server.run("stdio")
