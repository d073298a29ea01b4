"""Word lists of the analysis: language, not subject matter. Nothing here is tuned to one collection."""

# Closed-class words: they are indexed only in titles, and weigh little in a query.
_FUNCTION = """a about above after again against all also am an and any are aren as at be because been before
    being below between both but by can cannot could couldn d did didn do does doesn doing don down
    during each either else ever every few for from further had hadn has hasn have haven having he
    her here hers herself him himself his how however i if in into is isn it its itself just let ll
    m many may me might more most much must my myself neither no nor not now of off on once only onto or
    other our ours ourselves out over own per re s same shall shan she should shouldn so some such t
    than that the their theirs them themselves then there therefore these they this those though
    through thus to too toward towards under until up upon us ve very via was wasn we were weren
    what when where whether which while who whom whose why will with within without would wouldn yet
    you your yours yourself yourselves"""
FUNCTION_WORDS = frozenset(_FUNCTION.split())

# Words that frame a question rather than name its subject ("what is known about the effect of ...").
_FRAME = """article articles available concern concerned concerning concerns consider considered
    describe described describes describing detail detailed details determine discuss discussed
    discusses discussing done evidence example examples exist exists explain find finding findings
    general get give given gives include included includes including information interested
    investigate investigated involve involved involving know known look looking make makes made
    mention mentioned need obtain obtained paper papers possible present presented provide provided
    provides publication publications published regarding relate related relating relation
    show shown shows something studied studies study tell
    thing things type types use used uses using various want way ways work works"""
FRAME_WORDS = frozenset(_FRAME.split())
# The same where a company is asked about: everything of interest is new or has changed.
BUSINESS_FRAME_WORDS = frozenset("change growth latest new news recent update".split())

# Irregular forms that a suffix stemmer cannot bring together.
IRREGULAR = {
    form: word
    for word, forms in {
        "analyse": "analysis analyses",
        "appendix": "appendices",
        "axis": "axes",
        "bacterium": "bacteria",
        "become": "became",
        "begin": "began begun",
        "bring": "brought",
        "build": "built",
        "buy": "bought",
        "catch": "caught",
        "child": "children",
        "choose": "chose chosen",
        "criterion": "criteria",
        "crisis": "crises",
        "draw": "drew drawn",
        "drive": "drove driven",
        "fall": "fell fallen",
        "fly": "flew flown",
        "foot": "feet",
        "forecast": "forecasted",
        "freeze": "froze frozen",
        "fungus": "fungi",
        "grow": "grew grown",
        "hold": "held",
        "hypothesis": "hypotheses",
        "index": "indices",
        "knife": "knives",
        "lead": "led",
        "leave": "left",
        "lend": "lent",
        "life": "lives",
        "lose": "lost",
        "man": "men",
        "matrix": "matrices",
        "mouse": "mice",
        "nucleus": "nuclei",
        "pay": "paid",
        "phenomenon": "phenomena",
        "radius": "radii",
        "rise": "rose risen",
        "run": "ran",
        "seek": "sought",
        "sell": "sold",
        "send": "sent",
        "shrink": "shrank shrunk",
        "speak": "spoke spoken",
        "spectrum": "spectra",
        "speed": "sped",
        "spend": "spent",
        "stimulus": "stimuli",
        "swim": "swam swum",
        "take": "took taken",
        "teach": "taught",
        "thesis": "theses",
        "think": "thought",
        "tooth": "teeth",
        "vertex": "vertices",
        "vortex": "vortices",
        "wife": "wives",
        "win": "won",
        "woman": "women",
        "write": "wrote written",
    }.items()
    for form in forms.split()
}

# Words that the stemmer brings together with others of another sense (severe, security, office, engine,
# initial); each stands for its own forms alone.
UNLIKE = {
    form: word
    for word, forms in {
        "engineer": "engineered engineering engineers",
        "initiative": "initiatives",
        "officer": "officers",
        "securities": "",
        "several": "",
        "severance": "",
        "severable": "severability",
    }.items()
    for form in (word, *forms.split())
}

# Endings that differ between British and American spelling; both meet in the second column. The
# "z" forms become "s" forms, not the reverse: "revise" must keep meeting "revision".
SPELLINGS = (
    ("ization", "isation"),
    ("izations", "isations"),
    ("izational", "isational"),
    ("ize", "ise"),
    ("izes", "ises"),
    ("ized", "ised"),
    ("izer", "iser"),
    ("izers", "isers"),
    ("izing", "ising"),
    ("yze", "yse"),
    ("yzed", "ysed"),
    ("yzing", "ysing"),
    ("our", "or"),
    ("ours", "ors"),
    ("oured", "ored"),
    ("ouring", "oring"),
    ("ourable", "orable"),
    ("avioural", "avioral"),
    ("centre", "center"),
    ("centres", "centers"),
    ("metre", "meter"),
    ("metres", "meters"),
    ("litre", "liter"),
    ("litres", "liters"),
    ("fibre", "fiber"),
    ("fibres", "fibers"),
    ("theatre", "theater"),
    ("theatres", "theaters"),
    ("logue", "log"),
    ("logues", "logs"),
    ("defence", "defense"),
    ("offence", "offense"),
    ("licence", "license"),
    ("licences", "licenses"),
    ("programme", "program"),
    ("programmes", "programs"),
    ("aluminium", "aluminum"),
)

# The same inside a word, mostly medical and chemical: (British, American).
DIGRAPHS = (
    ("aem", "em"),
    ("paed", "ped"),
    ("oedem", "edem"),
    ("oestr", "estr"),
    ("oesoph", "esoph"),
    ("foet", "fet"),
    ("sulph", "sulf"),
    ("diarrhoe", "diarrhe"),
    ("manoeuv", "maneuv"),
    ("aeroplan", "airplan"),
)

# Greek letters are written out in one text and as signs in another.
GREEK = {
    "α": " alpha ",
    "β": " beta ",
    "γ": " gamma ",
    "δ": " delta ",
    "ε": " epsilon ",
    "κ": " kappa ",
    "λ": " lambda ",
    "μ": " mu ",
    "ρ": " rho ",
    "σ": " sigma ",
    "τ": " tau ",
    "φ": " phi ",
    "ω": " omega ",
}
