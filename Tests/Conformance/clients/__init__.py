"""Apps as their vendors' samples and SDKs make them: the same decisions, the same mistakes, none of their code."""
