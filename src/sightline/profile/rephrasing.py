"""Sentences about what may happen, as titles: "If we fail to keep drivers" is a "Failure to keep drivers"."""

import re
from typing import Final

# Conditions as what may happen; a condition that no rule turns keeps its "If".
REPHRASED: Final = tuple(
    (re.compile(pattern, re.I), instead)
    for pattern, instead in (
        # "… a limited number of customers accounting for a substantial portion of our revenue".
        (
            r"^(?!.{0,30}\b(?:inability|failure|loss|if)\b)(?=.*\b(?:account|portion|majority|percentage"
            r"|most|substantial|rely|relies|depend)).{0,160}?\b(?P<few>an? (?:limited|small|single)"
            r" (?:number of )?(?:\w+ ){0,2}(?:customers?|clients?|suppliers?|vendors?|distributors?"
            r"|manufacturers?|products?))\b.*$",
            r"Dependence on \g<few>",
        ),
        (
            r"^(?:our|the company[’']s) (?:[\w-]+ ){0,3}?(?:results|performance|revenues?)\b[\w ,]{0,70}?\b"
            r"(?:fluctuat|vary|varied|difficult to predict|unpredictable)\w*.*$",
            "Fluctuating results",
        ),
        (
            r"^(?:our|the company[’']s) (?:[\w-]+ ){1,5}?depends? (?:\w+ )?(?:in part )?(?:up)?on"
            r" (?:our|its|their|the) (?:continuing |continued )?ability to (?=(?-i:[a-z]))",
            "Dependence on the ability to ",
        ),
        (
            r"^(?:our|the company[’']s) (?:[\w-]+ ){1,5}?depends? (?:\w+ )?(?:in part )?(?:up)?on"
            r" (?=(?-i:[a-z]))",
            "Dependence on ",
        ),
        (
            r"^if (?:our|the company[’']s) efforts to (?P<what>.+?) (?:are|is) not successful.*$",
            r"Failure to \g<what>",
        ),
        (r"^if (?:we|the company) (?:is |are )?fails? to ", "Failure to "),
        (r"^if (?:we|the company) (?:are|is) (?:not able|unable) to ", "Inability to "),
        (r"^if (?:we|the company) (?:(?:do|does|can|could)\s?not|cannot) ", "Failure to "),
        (
            r"^if (?:we|[\w, ’'-]{2,60}?) (?:sustains?|suffers?|experiences?|incurs?|encounters?) (?=[a-z])",
            "",
        ),
        (
            r"^if (?P<who>[^,]{4,60}?) (?:that|which|who)\b.{5,120}? (?:fails?|do(?:es)? not|cannot) ",
            r"\g<who> may not ",
        ),
        (r"^if (?P<who>.{4,75}?) (?:fails?) to ", r"\g<who> may fail to "),
        (r"^if (?P<who>.{4,60}?) fails?$", r"\g<who> may fail"),
        (r"^if (?P<who>.{4,60}?) (?:does|do) not ", r"\g<who> may not "),
        (r"^if (?P<who>.{4,140}?) (?:is|are) (?P<not>not )?(?=\w)", r"\g<who> may \g<not>be "),
        (r"^(?:we|the company) may (?:not be able|be unable) to ", "Possible inability to "),
        (
            r"^(?:we|the company) (?:may|might|could) be (?:required|compelled|forced) to ",
            "Possible need to ",
        ),
        (r"^(?:we|the company) (?:may|might|could) not (?=[a-z])", "Possible failure to "),
        (
            r"^(?:we|the company) (?:(?:also|generally|often) )?(?:enter into|(?:are|is) involved in) ",
            "",
        ),
        (
            r"^(?:we|the company) ha(?:ve|s) (?=(?:significant|substantial|extensive|a history|limited"
            r"|material weaknesses) )",
            "",
        ),
        (
            r"^(?:we|the company) (?:may|could|might) lose (?P<what>.+?)(?:,? (?:and|or) (?:may"
            r"|be)\b.*)?$",
            r"Loss of \g<what>",
        ),
        (
            r"^(?:we|the company) (?:currently |expect to )?(?:derives?|generates?|receives?"
            r"|obtains?) (?:an? |the )?"
            r"(?:(?:\w+ )?(?:portion|majority|percentage|amount|part|share)|substantially all|most)"
            r" of (?:our|its) (?:\w+ )?(?:revenues?"
            r"|sales|income|products|supplies|components) from ",
            "Dependence on ",
        ),
        (
            r"^(?:we|the company) (?:(?:may|could|might|will|also|currently|generally"
            r"|expect to)\s)*"
            r"(?:face|experience|encounter|incur|be(?:come)? (?:subject|exposed) to"
            r"|(?:are|is) (?:subject|exposed) to)s? (?=[a-z])(?!(?:from|in|as)\b)",
            "",
        ),
        (
            r"^(?:we|the company) (?:(?:are|is|also|currently) )*(?:\w+ly )?(?:depend(?:s|ent)?|rely|relies"
            r"|reliant)"
            r"(?: \w+ly)? (?:up)?on ",
            "Dependence on ",
        ),
        (r"^risks?,? (?:such as|including|associated with|related to) ", ""),
        (r"^(?:our|the company[’']s) (?=inability|failure|ability)", ""),
    )
)
