"""Counts the right and wrong verdicts of mcptest and mcp-diff. The truth is what jsonschema accepts and rejects."""

import copy
import json
import random
import sys
import time

from jsonschema.validators import validator_for
from mcp_diff.diff import classify_changes

SAMPLES = 2000


def compiled(schema):
    if not isinstance(schema, dict):
        schema = {"type": "object"}
    kind = validator_for(schema, default=validator_for({"$schema": "https://json-schema.org/draft/2020-12/schema"}))
    return kind(schema)


class Undecided(Exception):
    """The validator cannot read the schema."""


def valid(validator, value):
    try:
        return validator.is_valid(value)
    except Exception as error:
        raise Undecided from error


def resolve(root, schema, depth=0):
    while isinstance(schema, dict) and "$ref" in schema and depth < 10:
        depth += 1
        target = root
        for part in schema["$ref"].lstrip("#").split("/")[1:]:
            part = part.replace("~1", "/").replace("~0", "~")
            target = target[int(part)] if isinstance(target, list) else target.get(part, {})
        schema = target
    return schema if isinstance(schema, dict) else {}


def values(root, schema, depth=0):
    """Values near the edges of a schema. The caller validates them."""
    schema = resolve(root, schema)
    found = []
    if depth > 5:
        return ["x"]
    for keyword in ("enum", "examples"):
        found += schema.get(keyword, []) if isinstance(schema.get(keyword), list) else []
    for keyword in ("const", "default"):
        if keyword in schema:
            found.append(schema[keyword])
    for keyword in ("anyOf", "oneOf", "allOf"):
        for inner in schema.get(keyword, []):
            found += values(root, inner, depth + 1)
    kinds = schema.get("type", [])
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        if kind == "string":
            found += ["x", "", "text", "2024-01-01", "https://example.com/a", "a@example.com", "a b", "1"]
            for keyword in ("minLength", "maxLength"):
                if isinstance(schema.get(keyword), int) and schema[keyword] < 20000:
                    found += ["x" * max(schema[keyword] + d, 0) for d in (-1, 0, 1)]
        elif kind in ("integer", "number"):
            found += [0, 1, -1, 2, 10, 1000003] + ([0.5, -1.5] if kind == "number" else [])
            for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
                bound = schema.get(keyword)
                if isinstance(bound, (int, float)) and not isinstance(bound, bool) and abs(bound) < 2**53 - 1:
                    found += [bound - 1, bound, bound + 1]
        elif kind == "boolean":
            found += [True, False]
        elif kind == "null":
            found.append(None)
        elif kind == "array":
            inner = values(root, schema.get("items", {}), depth + 1) or ["x"]
            found += [[], [inner[0]]] + [[v] for v in inner[:12]]
            for keyword in ("minItems", "maxItems"):
                if isinstance(schema.get(keyword), int) and schema[keyword] < 300:
                    found += [[inner[i % len(inner)] for i in range(max(schema[keyword] + d, 0))] for d in (-1, 0, 1)]
        elif kind == "object":
            found += objects(root, schema, depth)
    return found


def objects(root, schema, depth):
    properties = {k: values(root, v, depth + 1) or ["x"] for k, v in schema.get("properties", {}).items()}
    required = [k for k in schema.get("required", []) if k in properties]
    smallest = {k: properties[k][0] for k in required}
    full = {k: v[0] for k, v in properties.items()}
    found = [smallest, full]
    for name, choices in properties.items():
        for value in choices[:40]:
            found += [{**smallest, name: value}]
    return found


def near(value, pool, rng):
    value = copy.deepcopy(value)
    if isinstance(value, dict) and value:
        name = rng.choice(sorted(value))
        if rng.random() < 0.3:
            del value[name]
        else:
            value[name] = near(value[name], pool, rng)
        return value
    if isinstance(value, list) and value and rng.random() < 0.5:
        i = rng.randrange(len(value))
        value[i] = near(value[i], pool, rng)
        return value
    return rng.choice(pool)


def rejected(inner, outer):
    """A value of the inner schema that the outer one rejects; None if 2,000 samples have none."""
    if inner == outer:
        return None
    a, b = compiled(inner), compiled(outer)
    inner = inner if isinstance(inner, dict) else {"type": "object"}
    base = [v for v in values(inner, {"type": "object", **inner}) if isinstance(v, dict)] or [{}]
    pool = values(inner, {"type": ["string", "integer", "boolean", "null"]})
    for other in (inner, outer if isinstance(outer, dict) else {}):
        for prop in other.get("properties", {}).values():
            pool += values(other, prop, 3)[:30]
    rng = random.Random(7)
    tried = 0
    for i in range(3 * SAMPLES):
        value = base[i] if i < len(base) else near(rng.choice(base), pool, rng)
        if not isinstance(value, dict) or not valid(a, value):
            continue
        tried += 1
        if not valid(b, value):
            return value
        if tried >= SAMPLES:
            break
    return None


def confirmed(change, was, now):
    """Whether the validator confirms the counterexample of a breaking change."""
    proof = change.get("counterexample") or {}
    if "result" in proof:
        free = now.get("outputSchema") is None or valid(compiled(now["outputSchema"]), proof["result"])
        return free and not valid(compiled(was["outputSchema"]), proof["result"])
    if "arguments" not in proof or not valid(compiled(was.get("inputSchema")), proof["arguments"]):
        return False
    if change["kind"] in ("tool-removed", "tool-renamed", "task-support"):
        return True
    return not valid(compiled(now.get("inputSchema")), proof["arguments"])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        pairs = json.load(file)
    names = ("mcptest", "mcp-diff")
    count = {n: {"found": 0, "missed": 0, "alarms": 0, "seconds": 0.0} for n in names}
    tools = breaks = undecided = breaking = proven = unknown = contradicted = 0
    for pair in pairs:
        old = {t["name"]: t for t in pair["old"]}
        new = {t["name"]: t for t in pair["new"]}
        start = time.perf_counter()
        theirs = {c.tool for c in classify_changes(pair["old"], pair["new"]) if c.severity == "breaking"}
        count["mcp-diff"]["seconds"] += time.perf_counter() - start
        count["mcptest"]["seconds"] += pair["seconds"]
        verdicts = {v["name"]: v for v in pair["verdicts"] or []}
        for name, was in old.items():
            if name not in new or was == new[name]:
                continue
            tools += 1
            now, verdict = new[name], verdicts.get(name, {"verdict": "same", "changes": []})
            unknown += verdict["verdict"] == "unknown"
            try:
                checks = [confirmed(c, was, now) for c in verdict["changes"] if c["verdict"] == "breaking"]
                call = rejected(was.get("inputSchema"), now.get("inputSchema"))
                result = None
                if was.get("outputSchema") and now.get("outputSchema"):
                    result = rejected(now["outputSchema"], was["outputSchema"])
            except Undecided:
                undecided += 1
                continue
            breaking += len(checks)
            proven += sum(checks)
            inputs = [c for c in verdict["changes"] if c["verdict"] == "breaking" and "arguments" in (c.get("counterexample") or {})]
            broken = call is not None or any(confirmed(c, was, now) for c in inputs)
            breaks += broken
            if verdict["verdict"] in ("compatible", "cosmetic", "meaning", "same") and (call is not None or result is not None):
                contradicted += 1
                print("contradicted:", name, verdict["verdict"], json.dumps(call if call is not None else result)[:200], file=sys.stderr)
            # mcp-diff compares arguments only, so that the table does.
            for who, alarm in (("mcptest", bool(inputs)), ("mcp-diff", name in theirs)):
                count[who]["found"] += alarm and broken
                count[who]["missed"] += broken and not alarm
                count[who]["alarms"] += alarm and not broken
    print(f"{len(pairs)} pairs of releases, {tools} changed tools, {breaks} with a call that was valid and is rejected, {undecided} not read\n")
    print("| | found | missed | false alarms | time |\n|---|---|---|---|---|")
    for who, c in count.items():
        print(f"| {who} | {c['found']} | {c['missed']} | {c['alarms']} | {c['seconds']:.2f} s |")
    print(f"\nmcptest: {proven} of {breaking} counterexamples confirmed, {contradicted} other verdicts contradicted by "
          f"{SAMPLES} samples per schema, {unknown} unknown")


if __name__ == "__main__":
    main()
