"""The room of rules: from occurrences in the indexed bitext, or from explicit tables, to a sentence's scored rules."""
