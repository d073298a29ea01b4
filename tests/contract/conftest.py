"""The contract is tested on the database that the tests of the API share."""

from tests.api.conftest import (
    api_database_url as api_database_url,
)
from tests.api.conftest import (
    database_url as database_url,
)
from tests.api.conftest import (
    make_tenant as make_tenant,
)
