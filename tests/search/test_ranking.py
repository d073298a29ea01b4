"""The order of relevance and the reasons kept beside it."""
