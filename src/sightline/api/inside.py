"""Operations of the API that the console runs for its users, without a request of their own."""

import json
from functools import partial
from uuid import UUID

from sightline.api.endpoint import Call, Later, Services
from sightline.api.once import finish
from sightline.api.resources import assistant
from sightline.api.turns import patiently
from sightline.domain.callers import Caller
from sightline.kit.ids import new_id


async def chat(
    services: Services,
    caller: Caller,
    company_id: UUID,
    message: str,
    conversation_id: UUID | None,
) -> UUID:
    """The operation `chat`: credits are held and settled as for any caller. Answers the conversation."""
    transaction = partial(patiently, partial(services.database.tenant, caller.organization_id))
    async with transaction() as connection:
        call = Call(
            caller=caller,
            params=assistant.ChatParameters(company_id=company_id),
            body=assistant.ChatMessage(message=message, conversation_id=conversation_id),
            connection=connection,
            transaction=transaction,
            services=services,
            request_id=str(new_id()),
        )
        reply = await assistant.chat(call)
    if isinstance(reply, Later):
        reply = await finish(reply, call, None)
    return UUID(json.loads(reply.body)["conversation_id"])
