"""The scenarios that the Python clients of TestResilience run. README.md describes the job and the output."""

import asyncio

import operations


async def run(job, connect):
    """Runs all scenarios of the job at once. connect opens a session with one SDK, as a context manager."""
    await asyncio.gather(*(scenario(s, connect) for s in job["scenarios"]))


async def scenario(s, connect):
    steps = list(s["steps"])
    while left := len(steps):
        try:
            async with connect(s) as call:
                await session(s["name"], steps, call)
        except Exception as e:  # also of a session whose server has exited
            if len(steps) == left:
                operations.emit(server=s["name"], op="connect", error=f"{type(e).__name__}: {e}")
                return


async def session(name, steps, call):
    """Runs steps until the session is closed."""
    while steps:
        step = steps.pop(0)
        what, *arguments = step.split(" ")
        if what in ("close", "connect"):
            operations.emit(server=name, op=step, got="done")
            if what == "close":
                return
            continue
        limit = float(arguments[1]) / 1000 if len(arguments) > 1 else None
        try:
            operations.emit(server=name, op=step, got=await call({"message": arguments[0]}, limit))
        except BaseException as e:
            operations.emit(server=name, op=step, error=f"{type(e).__name__}: {e}")
            if not isinstance(e, Exception):  # the SDK has ended the session
                raise
