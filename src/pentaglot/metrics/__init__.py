"""The room of metrics: one contract (statistics that add up, a score from their sum) for all of them."""
