"""The calls that the Python clients of TestReplicas make. README.md describes the job and the output."""

import asyncio
import time

import operations

QUESTION = "Which key? "


def answer(message):
    return {"key": message.removeprefix(QUESTION)}


async def run(job, connect):
    """Calls tools at a rate. connect opens a session with one SDK, as a context manager."""
    end = time.time() + job["seconds"]
    await asyncio.gather(*(worker(job, number, end, connect) for number in range(job["workers"])))


async def worker(job, number, end, connect):
    """Calls tools one after the other. After an error it connects again."""
    n = 0
    while time.time() < end:
        began = n
        try:
            async with connect(job) as call:
                while time.time() < end:
                    line = {"op": job["tools"][n % len(job["tools"])], "key": f"{job['name']}-{number}-{n}", "start": time.time()}
                    n += 1
                    try:
                        got = await asyncio.wait_for(call(line["op"], {"key": line["key"]}), job["timeout"])
                        operations.emit(**line, end=time.time(), got=got)
                    except BaseException as e:
                        operations.emit(**line, end=time.time(), error=f"{type(e).__name__}: {e}")
                        raise
                    await asyncio.sleep(max(0, line["start"] + job["workers"] / job["rate"] - time.time()))
        except BaseException as e:  # also of a session that the SDK has ended
            if n == began:
                operations.emit(op="connect", error=f"{type(e).__name__}: {e}", end=time.time())
            await asyncio.sleep(0.1)
