"""What all tests share."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """True values are found anew, and leave nothing behind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BELLWETHER_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
