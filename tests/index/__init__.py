"""Tests of the index; `texts` holds small texts and brute-force twins."""
