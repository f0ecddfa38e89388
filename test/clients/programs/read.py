"""Calls every operation with the generated client. The parsed answer, serialised again, must equal the answer of the server."""

import importlib
import json
import re
import sys

from api_client import Client

url, calls = sys.argv[1:]
with open(calls, encoding="utf-8") as file:
    CALLS = json.load(file)


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def plain(value: object) -> object:
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value.to_dict() if hasattr(value, "to_dict") else value


def reader(base_url: str) -> Client:
    return Client(base_url=base_url, raise_on_unexpected_status=True, timeout=30)


for call in CALLS:
    client = reader(call["url"])
    name = call["operationId"]
    module = importlib.import_module(f"api_client.api.{call['tag']}.{snake(name)}")
    values = {"from_" if key == "from" else key: value for key, value in call["values"].items()}
    if "body" in call:
        body = importlib.import_module("api_client.models").VerifyRequest.from_dict(call["body"])
        answer = module.sync_detailed(client=client, body=body)
    else:
        answer = module.sync_detailed(*values.values(), client=client)
    assert answer.status_code == 200, f"{name} {values} answered {answer.status_code} {answer.content!r}"
    assert answer.parsed is not None, f"{name} read nothing"
    assert plain(answer.parsed) == json.loads(answer.content), f"{name} read something else"

transactions = importlib.import_module("api_client.api.transactions.get_tx_by_generation_range")
listed = transactions.sync(0, 9999, client=reader(url)).transactions
for one in listed:
    assert type(one.tx).__name__.upper() == one.tx.type_.upper(), f"{one.hash_} is {type(one.tx)}"
print(f"{len(CALLS)} operations, {len({one.tx.type_ for one in listed})} types of transactions")
