"""The matrix server, built with FastMCP 4. It supports all revisions, and requests input in the way of each."""

from fastmcp import Context, FastMCP
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequiredResult,
    SamplingMessage,
    TextContent,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel

import states

args = states.options()
server = FastMCP("fastmcp")


class Color(BaseModel):
    color: str


def stateless(ctx: Context) -> bool:
    return ctx.request_context.protocol_version in MODERN_PROTOCOL_VERSIONS


@server.tool
def echo(text: str) -> str:
    return text


@server.tool
async def count(steps: int, key: str, ctx: Context) -> str:
    for step in range(1, steps + 1):
        await ctx.report_progress(step, steps)
    await states.held(key)
    return "done"


@server.tool
async def release(key: str) -> str:
    return await states.release(key)


@server.tool
async def pause(key: str) -> str:
    return await states.pause(key)


@server.tool
def state(key: str) -> str:
    return states.state(key)


@server.tool
async def ask(ctx: Context) -> str | InputRequiredResult:
    if not stateless(ctx):
        answer = await ctx.elicit("Which color?", Color)
        return f"{answer.action} {answer.data.color}"
    if ctx.input_responses:
        answer = ctx.input_responses["color"]
        return f"{answer.action} {answer.content['color']}"
    params = ElicitRequestFormParams(message="Which color?", requested_schema=Color.model_json_schema())
    return InputRequiredResult(input_requests={"color": ElicitRequest(params=params)})


@server.tool
async def sample(ctx: Context) -> str | InputRequiredResult:
    message = SamplingMessage(role="user", content=TextContent(type="text", text="Say hi"))
    if not stateless(ctx):
        result = await ctx.session.create_message([message], max_tokens=10, related_request_id=ctx.request_id)
        return result.content.text
    if ctx.input_responses:
        return ctx.input_responses["text"].content.text
    params = CreateMessageRequestParams(messages=[message], max_tokens=10)
    return InputRequiredResult(input_requests={"text": CreateMessageRequest(params=params)})


@server.resource("matrix://note")
def note() -> str:
    return "a note"


@server.prompt
def greet(name: str) -> str:
    return f"Hello, {name}"


if args.http:
    server.run("http", port=args.http, show_banner=False, log_level="WARNING")
else:
    server.run("stdio", show_banner=False, log_level="WARNING")
