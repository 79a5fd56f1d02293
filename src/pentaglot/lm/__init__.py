"""The room of language models: modified Kneser-Ney estimation, ARPA, a compact binary form, states for decoders."""
