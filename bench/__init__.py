"""Side-by-side measurements: one file for each room, all of them run by `make bench`."""
