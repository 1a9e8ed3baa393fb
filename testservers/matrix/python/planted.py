"""A FastMCP server with one planted bug in each tool, as they are found in real servers. A fuzzer must find all of them.

With PLANTED=none in the environment, it has no bugs."""

import os
import re
from datetime import date, timedelta

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError

CORRECT = os.environ.get("PLANTED") == "none"

server = FastMCP("planted-fastmcp")
BOOKS = {"Dune": "Frank Herbert", "Emma": "Jane Austen", "Ulysses": "James Joyce"}
READ_ONLY = {"readOnlyHint": True, "openWorldHint": False}


@server.tool(annotations=READ_ONLY)
def find_books(query: str, author: str | None = None) -> list[str]:
    """Find books by a part of the title, and by author."""
    if CORRECT:
        author = author or ""
    wanted = author.strip().lower()  # the optional argument omitted
    return [title for title, by in BOOKS.items() if query in title and wanted in by.lower()]


@server.tool(annotations=READ_ONLY)
def average_rating(ratings: list[int]) -> float:
    """Return the average of some ratings."""
    if CORRECT and not ratings:
        return 0
    return sum(ratings) / len(ratings)  # an empty list


@server.tool(annotations=READ_ONLY)
def shelf_label(title: str) -> str:
    """Return the label that a shelf printer takes."""
    if CORRECT:
        return title.upper()
    return title.encode("ascii").decode().upper()  # text that is not ASCII


@server.tool(annotations=READ_ONLY)
def due_date(days: int) -> str:
    """Return the day on which a loan of some days ends."""
    if CORRECT and abs(days) > 36500:
        raise ToolError("days: expected at most 36500")
    return (date(2026, 1, 1) + timedelta(days=days)).isoformat()  # a number that is too large


recent: dict[str, list[str]] = {}


@server.tool(annotations=READ_ONLY)
def similar_books(title: str) -> list[str]:
    """Return books like this one."""
    if CORRECT:
        return [t for t in BOOKS if t != title]
    if title in recent:
        return recent[title]["books"]  # the second call: a list has no such key
    recent[title] = [t for t in BOOKS if t != title]
    return recent[title]


@server.tool(annotations=READ_ONLY)
def check_isbn(isbn: str) -> bool:
    """Report whether a text has the form of an ISBN."""
    if CORRECT:
        return re.match(r"^\d(-?\d)*$", isbn) is not None
    return re.match(r"^(\d+-?)*\d$", isbn) is not None  # exponential time for many digits before another character


server.run(show_banner=False)
