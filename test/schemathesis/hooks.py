"""Rules of the API that its description has only as text: the values of formats, and parameters that depend on others."""

import datetime
import hashlib
import json
import os

import schemathesis
from hypothesis import strategies as st

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

# Identifiers of the chain under test, by prefix.
with open(os.environ["KNOWN_IDENTIFIERS"], encoding="utf-8") as file:
    KNOWN = json.load(file)


def encode(prefix: str, data: bytes) -> str:
    data += hashlib.sha256(hashlib.sha256(data).digest()).digest()[:4]
    number = int.from_bytes(data, "big")
    text = ""
    while number:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return f"{prefix}_{'1' * (len(data) - len(data.lstrip(bytes(1))))}{text}"


def unknown(prefix: str) -> st.SearchStrategy:
    return st.binary(min_size=32, max_size=32).map(lambda data: encode(prefix, data))


def identifier(prefix: str) -> st.SearchStrategy:
    known = KNOWN.get(prefix, [])
    return st.one_of(st.sampled_from(known), unknown(prefix)) if known else unknown(prefix)


ANY = st.sampled_from(["ak", "ct", "ok", "ch", "nm", "oq", "th", "kh", "mh"]).flatmap(identifier)

schemathesis.openapi.format("identifier", ANY)
schemathesis.openapi.format("optional-identifier", st.one_of(st.just(""), ANY))
schemathesis.openapi.format("identifiers", st.lists(ANY, min_size=1, max_size=5).map(",".join))
for kind in ("kh", "mh", "th"):
    schemathesis.openapi.format(f"{kind}-hash", identifier(kind))
schemathesis.openapi.format("block-hash", st.one_of(identifier("kh"), identifier("mh")))
schemathesis.openapi.format(
    "moment",
    st.one_of(
        st.integers(0, 10**15 - 1).map(str),
        st.dates().map(datetime.date.isoformat),
        st.datetimes().map(lambda time: time.isoformat(timespec="milliseconds") + "Z"),
    ),
)
schemathesis.openapi.format("day", st.dates().map(lambda day: day.strftime("%Y%m%d").zfill(8)))
schemathesis.openapi.format("word", st.one_of(st.integers(0, 2**256 - 1).map(str), ANY))
schemathesis.openapi.format(
    "cursor",
    st.one_of(st.just(""), st.tuples(identifier("th"), st.integers(0, 2**62)).map(lambda pair: f"{pair[0]}-{pair[1]}")),
)

schemathesis.openapi.format(
    "ranked-cursor",
    st.one_of(
        st.just(""),
        st.tuples(st.integers(-(10**9), 10**9), st.integers(0, 2**58), st.text(max_size=40)).map(
            lambda row: f"{row[0]}.{row[1]}.{row[2].encode('utf-8', 'replace').hex()}"
        ),
    ),
)
# Each names the list that it is of, with a digest.
schemathesis.openapi.format("key-cursor", st.just(""))
# Each list has columns of its own that say the place of a row.
schemathesis.openapi.format("after-row", st.just(""))


def is_integer(value: object) -> bool:
    digits = str(value).lstrip("-")
    return digits.isascii() and digits.isdecimal()


def is_zero(value: object) -> bool:
    return is_integer(value) and set(str(value).lstrip("-")) == {"0"}


@schemathesis.hook
def filter_query(context, query):
    """Leaves out `page=0`: it is refused as a number but not as a text, and the description cannot express both."""
    return not query or not is_zero(query.get("page")) or not is_integer(query.get("limit", ""))


# Parameters that cannot be used together: the first of them that is given stays.
ALTERNATIVES = [
    ("include", "page"),
    ("include", "txtype"),
    ("include", "tx_type"),
    ("height", "time"),
    ("height", "block"),
    ("time", "block"),
    ("prefix", "exact"),
]


@schemathesis.hook
def before_call(context, case, kwargs):
    """Leaves out parameters that others exclude, also of requests made from the examples."""
    refused = {other for first, other in ALTERNATIVES if first in (case.query or {})}
    # The order by creation has no texts to compare.
    if (case.query or {}).get("by") == "creation":
        refused |= {"prefix", "exact"}
    for name in refused.intersection(case.query or {}):
        del case.query[name]


@schemathesis.hook
def map_query(context, query):
    """Adds a `limit` to a wrong `page`, because `page` is ignored without `limit` and a wrong value would not be refused."""
    if query and "page" in query and not is_zero(query["page"]) and not is_integer(query.get("limit", "")):
        return {**query, "limit": 3}
    return query


# Max distance between `from` and `to` of the paths that limit it, in heights and in days.
MAX_HEIGHTS = 19
MAX_DAYS = datetime.timedelta(days=20)


def day(value: object) -> datetime.date | None:
    try:
        return datetime.datetime.strptime(str(value), "%Y%m%d").date()
    except ValueError:
        return None


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Brings `from` near to `to` where the API refuses a longer interval, which the description cannot express."""
    if not path_parameters or not context.operation.path.startswith("/middleware/figures/"):
        return path_parameters
    first, last = path_parameters.get("from"), path_parameters.get("to")
    if "generations" in context.operation.path:
        if is_integer(first) and is_integer(last):
            return {**path_parameters, "from": max(int(first), int(last) - MAX_HEIGHTS)}
    elif (begin := day(first)) and (end := day(last)) and end - begin > MAX_DAYS:
        # Not by `strftime`: it drops the zeros before a year below 1000.
        return {**path_parameters, "from": (end - MAX_DAYS).isoformat().replace("-", "")}
    return path_parameters
