"""Words by which a capitalised piece of an enumeration is told from the name of a company."""

import re
from typing import Final

_WORDS: Final = """
internet us u.s. united states europe asia china america americas north south latin africa chinese
european american japanese asian korean indian german french ai cloud software hardware services
products solutions android ios windows web online digital retail mobile tv pc pcs cpu cpus gpu gpus
dpu dpus soc socs api apis saas crm erp it iot oem oems odm odms esg sec company companies
competitors competitor competition other others some many we our they their these this the such
each any all both new several certain various most item note part fiscal annual report form
december january february march april may june july august september october november arm-based
ethernet infiniband risk segment business customers consumer data center gaming automotive health
pharmacy medicare medicaid banks in while for if as factors federal state government governments
congress board management class common stock group divisions india japan canada mexico korea
germany france brazil taiwan russia ukraine israel uk england middle east pacific emea apac apla
amer additionally moreover however furthermore linux unix internet-based also no own price quality
service performance reliability innovation brand reputation features pricing cost convenience
spreadsheets spreadsheet paper legacy manual traditional in-house diy email excel generics generic
department drug discount variety specialty home wholesale professional financial insurance medical
security network storage payment media social video music search
eu eastern western central northern southern spain italy poland netherlands austria switzerland
australia singapore london paris berlin york california texas washington chemicals foods energy
unternehmen anbieter hersteller banken versicherungen händler konzerne firmen start-ups startups
wettbewerber konkurrenten produkte dienstleister handwerker kunden agenturen verlage
les des banques entreprises grandes petites los las bancos empresas
"""
GENERIC: Final = frozenset(_WORDS.split())
"""Words that make no name by themselves."""

_OPENING_WORDS: Final = """
while for if as additionally moreover however furthermore our their these this such each any all both
certain various most many some other others no also own in we they although because when where
"""
OPENING: Final = frozenset(_OPENING_WORDS.split())
"""What a sentence or an enumeration of groups begins with, and no name."""

NO_COMPANY: Final = re.compile(
    r"\b(?:segment|division|product|channel|market|industry|platforms?|applications?|act|commission"
    r"|department|agency|administration|court|university|chain|business(?:es)?|brand|retailers?"
    r"|providers?|manufacturers?|competitors?|customers?|years?|laws?)$",
    re.I,
)
"""What no company's name ends with."""

OFTEN_COMPANY: Final = re.compile(
    r"\b(?:services?|systems?|products|solutions|stores?|technolog(?:y|ies)|management)$", re.I
)
"""What the name of a company, and of what it sells, may end with."""
