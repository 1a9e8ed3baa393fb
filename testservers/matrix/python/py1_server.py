"""The matrix server, built with the Python SDK 1.x."""

from mcp.server.fastmcp import Context, FastMCP
from mcp.types import SamplingMessage, TextContent
from pydantic import BaseModel

import states

args = states.options()
server = FastMCP("py1", port=args.http or 0, log_level="WARNING")


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


@server.tool()
async def ask(ctx: Context) -> str:
    answer = await ctx.elicit("Which color?", Color)
    return f"{answer.action} {answer.data.color}"


@server.tool()
async def sample(ctx: Context) -> str:
    message = SamplingMessage(role="user", content=TextContent(type="text", text="Say hi"))
    # Without the related request, the request goes to the stream of the GET request, which a client need not open.
    result = await ctx.session.create_message([message], max_tokens=10, related_request_id=ctx.request_id)
    return result.content.text


@server.resource("matrix://note")
def note() -> str:
    return "a note"


@server.prompt()
def greet(name: str) -> str:
    return f"Hello, {name}"


server.run("streamable-http" if args.http else "stdio")
