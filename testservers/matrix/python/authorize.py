"""Authorizes with each server on the command line, up to the page that a browser opens, with the Python SDK 2.x.

For each server it prints {"url": the page, "error": why there is none}.
"""

import asyncio
import json
import logging
import sys

import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import OAuthClientMetadata


class Opened(Exception):
    """The page would be opened now."""


class Memory:
    async def get_tokens(self):
        return None

    async def set_tokens(self, tokens):
        pass

    async def get_client_info(self):
        return None

    async def set_client_info(self, info):
        pass


async def authorize(server):
    opened = []

    async def redirect(url):
        opened.append(url)
        raise Opened

    async def callback():
        raise Opened

    provider = OAuthClientProvider(
        server,
        OAuthClientMetadata(
            client_name="matrix",
            redirect_uris=["http://127.0.0.1:49152/callback"],
            token_endpoint_auth_method="none",
        ),
        Memory(),
        redirect,
        callback,
    )
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    try:  # plain HTTP: loading certificates would only take time
        async with httpx2.AsyncClient(auth=provider, trust_env=False, verify=False) as client:
            await client.post(server, json=ping, headers={"MCP-Protocol-Version": "2025-11-25"})
    except Opened:
        return {"url": opened[0]}
    except Exception as e:
        return {"error": f"{type(e).__name__}: {e}"}
    return {"error": "no authorization was required"}


logging.disable()
for server in sys.argv[1:]:
    print(json.dumps(asyncio.run(authorize(server))), flush=True)
