"""Benchmarks against other tools: one file per room, all of them run by `make bench`."""
