"""Custom insights: what the documents say on each of an organization's questions, in whole sentences."""

from collections.abc import Sequence

from sightline.profile.contract import Built, OrganizationSection, Statement
from sightline.profile.evidence import Evidence
from sightline.profile.plans import QUESTIONS, Plan, nameless
from sightline.profile.seller import Question, Seller
from sightline.profile.shapes import Open
from sightline.reading.stated import normalized


def build(evidence: Evidence, built: Built, seller: Seller) -> Sequence[Statement]:
    del evidence, built
    return [_insight(seller, question) for question in seller.questions]


def _insight(seller: Seller, question: Question) -> Statement:
    """Without a model nothing says yes or no: quotes are the answer, or the sources of none, as what comes
    nearest. A model reads these."""
    said = seller.quotes.get(question.question_id, ())
    is_answered = question.question_id in seller.answered
    text = " ".join(normalized(each.text or "") for each in said) if is_answered else ""
    return {
        "id": str(question.question_id),
        "name": question.name,
        "question": question.question,
        "state": "ready" if text else "insufficient_evidence",
        "verdict": None,
        "answer": text or None,
        "description": text,
        "sources": tuple(said),
    }


SECTION = OrganizationSection(
    "custom_insights",
    "Your questions",
    Open,
    Plan(
        "Answers to our questions, the answer first; `kind` is the id of the question, and each sentence an"
        " entry. To a question for yes or no begin with `Yes.`, `No.` or `Partly.`; give no answer where"
        " the passages only mention the matter.",
        most=4,
        kinds=(QUESTIONS,),
        row=nameless,
        is_edited=False,
    ),
    build=build,
)
