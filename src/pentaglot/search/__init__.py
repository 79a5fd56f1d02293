"""The room of search: builders of forests from a sentence and its rules, by chart or by stacks."""
