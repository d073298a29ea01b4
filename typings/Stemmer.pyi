"""Types of the part of PyStemmer in use; the package ships none."""

class Stemmer:
    def __init__(self, algorithm: str, maxCacheSize: int = ...) -> None: ...  # noqa: N803
    def stemWord(self, word: str) -> str: ...  # noqa: N802
