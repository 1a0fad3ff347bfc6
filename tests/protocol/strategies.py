"""From the types of the protocol to Hypothesis strategies, within their limits."""

import re
from functools import cache
from typing import Any, cast

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import Struct, inspect

from protocol.kinds import COMMANDS, MESSAGES

INT64 = 2**63 - 1
FEW = 4
"""How long lists get; what is long is tested by itself."""


@cache
def structs(cls: type[Struct]) -> SearchStrategy[Struct]:
    """All values of a struct."""
    info = cast(inspect.StructType, inspect.type_info(cls))
    return st.builds(cls, **{field.name: values(field.type) for field in info.fields})


def values(info: inspect.Type) -> SearchStrategy[Any]:
    """All values of a type as msgspec describes it."""
    match info:
        case inspect.StructType():
            return st.deferred(lambda: structs(info.cls))
        case inspect.UnionType():
            return st.one_of([values(option) for option in info.types])
        case inspect.LiteralType():
            return st.sampled_from(info.values)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.IntType():
            return integers(info)
        case inspect.StrType():
            return texts(info)
        case inspect.TupleType():
            return st.tuples(*(values(item) for item in info.item_types))
        case inspect.VarTupleType():
            most = min(info.max_length or FEW, FEW)
            return st.lists(values(info.item_type), min_size=info.min_length or 0, max_size=most).map(tuple)
    raise AssertionError(f"the protocol has a new kind of type: {info}")


def integers(info: inspect.IntType) -> SearchStrategy[int]:
    """All integers of a type; of 64 bits where it has no limits."""
    assert info.gt is info.multiple_of is None
    most = info.le if info.lt is None else info.lt - 1
    return st.integers(-INT64 if info.ge is None else info.ge, INT64 if most is None else most)


def texts(info: inspect.StrType) -> SearchStrategy[str]:
    """All texts of a type; every character that UTF-8 has where it has no pattern."""
    least, most = info.min_length or 0, info.max_length or 80
    if info.pattern is None:
        return st.text(st.characters(exclude_categories=["Cs"]), min_size=least, max_size=most)
    letters = [chr(code) for code in range(128) if re.search(info.pattern, chr(code))]
    return st.text(letters, min_size=least, max_size=most)


commands: SearchStrategy[Any] = st.sampled_from(list(COMMANDS.values())).flatmap(structs)
"""Every command."""
messages: SearchStrategy[Any] = st.sampled_from(list(MESSAGES.values())).flatmap(structs)
"""Every message of a server."""

_words = st.text('ab\u00e9\0"\\\U0001f3aa[{', max_size=8)
json_values: SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | _words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_words, inner, max_size=3),
    max_leaves=6,
)
"""Whatever a map can hold."""
