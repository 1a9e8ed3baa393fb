"""The calls that a server process holds, and the options of every Python server of the matrix."""

import argparse
import asyncio
import time

states = {}
released = {}


async def pause(key):
    """Waits until the call is cancelled and records that it was."""
    states[key] = "running"
    try:
        await asyncio.sleep(15)
    except asyncio.CancelledError:
        states[key] = "cancelled"
        raise
    states[key] = "finished"
    return "finished"


async def held(key):
    """Waits until the client releases the call."""
    await asyncio.wait_for(released.setdefault(key, asyncio.Event()).wait(), 15)


async def release(key):
    released.setdefault(key, asyncio.Event()).set()
    return "released"


def state(key):
    return states.get(key, "unknown")


def options():
    """Parses the options, and waits if the server is to start slowly."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--http", type=int, help="serve Streamable HTTP on this port instead of stdio")
    parser.add_argument("--delay", type=float, default=0, help="seconds to wait before the server starts")
    args = parser.parse_args()
    time.sleep(args.delay)
    return args
