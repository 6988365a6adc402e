"""An agent on the protocol's official SDK: calls tools, and prints what came of it as JSON."""

import asyncio
import json
import sys

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

URL, KEY = sys.argv[1:]
CAMPAIGN = {"emails_sent": 5000, "reply_rate": 5, "positive_reply_rate": 30, "meeting_booking_rate": 20, "close_rate": 25}


async def call(client, name, arguments):
    result = await client.call_tool(name, arguments)
    return {
        "is_error": result.is_error,
        "text": result.content[0].text,
        "structured": result.structured_content,
        "replayed": (result.meta or {}).get("replayed", False),
    }


async def speak(mode):
    # On a busy machine a response may take longer than the five seconds of httpx.
    async with httpx2.AsyncClient(headers={"x-api-key": KEY}, timeout=None) as http:
        async with Client(streamable_http_client(URL, http_client=http), mode=mode) as client:
            # The SDK checks structured content against the output schemas that it has listed.
            tools = (await client.list_tools()).tools
            return {
                "revision": client.session.protocol_version,
                "tools": [tool.name for tool in tools],
                "forecast": await call(client, "forecast", CAMPAIGN),
                "wrong": await call(client, "forecast", {**CAMPAIGN, "reply_rate": 500}),
                "usage": await call(client, "usage", {}),
            }


async def main():
    print(json.dumps([await speak("auto"), await speak("legacy")]))


asyncio.run(main())
