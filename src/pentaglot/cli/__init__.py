"""The door to the command line: one file for each command, the group that holds them in `main`."""
