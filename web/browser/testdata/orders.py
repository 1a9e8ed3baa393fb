"""Tools with the models that people write with pydantic. Each returns its argument as the server understood it."""

from datetime import datetime
from enum import Enum
from typing import Annotated, Literal, Optional, Union

from fastmcp import FastMCP
from pydantic import BaseModel, Field

server = FastMCP("orders")


class Size(Enum):
    small = "small"
    large = "large"


class Address(BaseModel):
    street: str
    city: Optional[str] = None
    country: str = "CH"


class Card(BaseModel):
    kind: Literal["card"]
    number: str


class Cash(BaseModel):
    kind: Literal["cash"]
    coins: list[int] = []


class Line(BaseModel):
    sku: str
    count: int
    notes: list[Union[int, str, Address]] = []


class Order(BaseModel):
    address: Address
    ship: Optional[Address] = None
    size: Size
    speed: Literal["slow", "fast"] = "slow"
    pay: Annotated[Union[Card, Cash], Field(discriminator="kind")]
    lines: list[Line]
    prices: dict[str, float]
    at: datetime


class Node(BaseModel):
    name: str
    kids: list["Node"] = []


@server.tool
def place(order: Order) -> str:
    return order.model_dump_json()


@server.tool
def tree(root: Node) -> str:
    return root.model_dump_json()


@server.tool
def find(
    corner: tuple[float, float],
    pages: Optional[list[int]] = None,
    marks: list[Optional[int]] = [],
    rooms: dict[str, list[Address]] = {},
    level: Literal[1, "1"] = 1,
) -> str:
    return repr((corner, pages, marks, level, rooms))


server.run(transport="stdio", show_banner=False)
