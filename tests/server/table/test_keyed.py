import hmac

from hypothesis import given
from hypothesis import strategies as st

from server.table.keyed import hmac_sha256


@given(st.binary(max_size=150), st.binary(max_size=200))
def test_it_is_what_the_library_says(key: bytes, message: bytes) -> None:
    assert hmac_sha256(key, message) == hmac.digest(key, message, "sha256")
