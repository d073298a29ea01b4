"""Company records."""

from uuid import UUID

from pydantic import Field

from sightline.api.endpoint import Call, Endpoint, Reply, Schema
from sightline.api.schemas import Company
from sightline.domain.errors import CompanyDoesNotExist
from sightline.store.companies import company_document


class CompanyPath(Schema):
    company_id: UUID = Field(description="Id of the company.")


async def read_company(call: Call) -> Reply:
    document = await company_document(
        call.connection, call.caller.organization_id, call.params.company_id
    )
    if document is None:
        raise CompanyDoesNotExist()
    return Reply(document.encode())


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/companies/{company_id}",
        name="read_company",
        summary="Read one company record",
        description=(
            "The catalogue's public values under the values that your organization set. Fields that "
            "may be null are always present; the others are left out while unknown."
        ),
        tag="Companies",
        scopes=("insights:read",),
        params=CompanyPath,
        answer=Company,
        errors=(CompanyDoesNotExist,),
        handler=read_company,
    ),
)
