"""The operations that every Python client of the matrix runs. README.md describes the job and the output."""

import asyncio
import json
import logging
import sys
import traceback
import uuid

TIMEOUT = 60  # seconds per operation
LOST = 10  # seconds until a notification counts as lost


def job():
    """Returns the job from the command line."""
    logging.disable(logging.WARNING)
    return json.loads(sys.argv[1])


def emit(**line):
    print(json.dumps(line), flush=True)


async def run(client, job):
    """Runs all operations against each server of the job. client adapts one SDK."""
    emit(op="connect", got=client.revision())
    for name, arguments in job.get("calls", []):
        try:
            emit(op=name, got=await asyncio.wait_for(client.call(name, arguments), TIMEOUT))
        except Exception as e:
            traceback.print_exc()
            emit(op=name, error=f"{type(e).__name__}: {e}" or "timeout")
    for name, arguments in job.get("invocations", []):
        try:
            emit(op=name, **await asyncio.wait_for(client.result(name, arguments), TIMEOUT))
        except Exception as e:
            traceback.print_exc()
            emit(op=name, error=f"{type(e).__name__}: {e}" or "timeout")
    if "cancel_through" in job:
        emit(op="cancel", got=await cancel_through(client, *job["cancel_through"]))
    for server in job["servers"]:
        names = Names(server)
        for op, operation in OPERATIONS.items():
            if f"{server}/{op}" in job.get("skip", []):
                continue
            try:
                got = await asyncio.wait_for(operation(client, names), TIMEOUT)
                emit(server=server, op=op, got=got)
            except Exception as e:
                traceback.print_exc()
                emit(server=server, op=op, error=f"{type(e).__name__}: {e}" or "timeout")


class Names:
    """The names of one server's tools, prompts and resources: its own, or those that the gateway assigns."""

    def __init__(self, server):
        self.prefix = server + "__" if server else ""
        self.fragment = "#gateway=" + server if server else ""

    def __call__(self, name):
        return self.prefix + name


async def list_tools(client, n):
    return " ".join(sorted(t.removeprefix(n.prefix) for t in await client.tools() if t.startswith(n.prefix)))


async def call(client, n):
    return await client.call(n("echo"), {"text": "grün 1"})


async def progress(client, n):
    """Holds the response back until the notifications have arrived: some SDKs drop those that arrive together with it."""
    key, seen, complete = uuid.uuid4().hex, [], asyncio.Event()

    async def on_progress(progress, total, message=None):
        seen.append(f"{progress:g}/{total:g}")
        if progress == total:
            complete.set()

    count = asyncio.create_task(client.call(n("count"), {"steps": 3, "key": key}, on_progress))
    await asyncio.wait([count, asyncio.create_task(complete.wait())], timeout=LOST, return_when="FIRST_COMPLETED")
    await client.call(n("release"), {"key": key})
    return " ".join(seen + [await count])


async def cancel(client, n):
    key = uuid.uuid4().hex
    pause = asyncio.create_task(client.pause(n("pause"), {"key": key}))
    await until(client, n, key, "running")
    await client.cancel(pause)
    return await until(client, n, key, "cancelled")


async def cancel_through(client, tool, server):
    """Cancels a call of a tool that calls pause."""
    key, n = uuid.uuid4().hex, Names(server)
    pause = asyncio.create_task(client.pause(tool, {"name": n("pause"), "arguments": {"key": key}}))
    await until(client, n, key, "running")
    await client.cancel(pause)
    return await until(client, n, key, "cancelled")


async def until(client, n, key, want):
    """Polls the state of a pause and returns the last one seen."""
    for _ in range(LOST * 20):
        state = await client.call(n("state"), {"key": key})
        if state == want:
            break
        await asyncio.sleep(0.05)
    return state


async def resource(client, n):
    return await client.read("matrix://note" + n.fragment)


async def prompt(client, n):
    return await client.prompt(n("greet"), {"name": "Ada"})


async def elicitation(client, n):
    return await client.call(n("ask"), {})


async def sampling(client, n):
    return await client.call(n("sample"), {})


OPERATIONS = {
    "list": list_tools,
    "call": call,
    "progress": progress,
    "cancel": cancel,
    "resource": resource,
    "prompt": prompt,
    "elicitation": elicitation,
    "sampling": sampling,
}


def color(message):
    """The answer to an elicitation."""
    return {"color": "blue" if message == "Which color?" else "unknown question"}


def completion(text):
    """The answer to a sampling request."""
    return "model: hi" if text == "Say hi" else "unknown question"
