"""The room of word alignment: IBM 1, HMM and a fast diagonal model, both directions, posteriors, symmetrisation."""
