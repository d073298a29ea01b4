"""Legal forms of companies in running text: "Inc.", "GmbH & Co. KG", "株式会社".

What identifies a company once its form is dropped is `domain.names.name_key`, for names alone.
"""

import re
from typing import Final

FORMS: Final = (
    r"(?:Inc|Incorporated|Corp|Corporation|LLC|L\.L\.C|LLP|L\.L\.P|LP|L\.P|L\.C|Ltd|Limited|ULC"
    r"|PLC|plc|p\.l\.c|N\.A|National Association"
    r"|(?:GmbH|AG|SE)\s?&\s?Co\.?\s?KG(?:aA)?|g?GmbH|mbH|AG|KGaA|KG|OHG|UG|e\.\s?K|e\.\s?V|eG|GbR|SE"
    r"|Stiftung|S\.?A\.?\s?de\s?C\.?V|S\.?A\.?S\.?U?|SARL|S\.?à\.?r\.?l|SASU?|EURL|S\.?A|SCOP|SCA"
    r"|S\.?L\.?U?|S\.?p\.?A|S\.?r\.?l|SpA|B\.?V|N\.?V|BVBA|SRL|AB|A/S|ApS|ASA|AS|Oyj?|K\.?K"
    r"|Pty\.?\s?Ltd|Pte\.?\s?Ltd|Pty|Co\.?,?\s?Ltd|Pvt\.?\s?Ltd|Sdn\.?\s?Bhd|Ltda|Lda|d\.o\.o"
    r"|s\.r\.o|a\.s|Kft|Zrt|Sp\.\s?z\s?o\.\s?o|SIA|UAB|OÜ|株式会社|有限公司)"
)
"""A pattern of the forms, without the stop after some and without groups; case matters."""

LEGAL_FORM: Final = re.compile(rf"(?:(?<=[\s,])|^){FORMS}\.?(?=$|[\s,;.)|])")
"""A form that stands for itself in a name or line, with its stop."""

_ORGANIZATION: Final = re.compile(
    r"\b(?:inc|corp|corporation|llc|l\.?l\.?c|ltd|lp|l\.?p|llp|plc|trust|fund|funds|partners|partnership"
    r"|holdings?|capital|group|company|co|gmbh|ag|sa|nv|bv|associates|ventures|management|advisors"
    r"|advisers|investments?|bank|foundation|estate|limited|international|enterprises)\b\.?",
    re.IGNORECASE,
)


def is_organization_name(name: str) -> bool:
    """Whether a name has a word that only organizations have."""
    return _ORGANIZATION.search(name) is not None
