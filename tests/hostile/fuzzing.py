"""How many examples fuzz tests draw: few and always the same, or as many, and new ones, as ATTN_FUZZ_EXAMPLES says."""

import os

from hypothesis import HealthCheck, settings

EXAMPLES = int(os.environ.get("ATTN_FUZZ_EXAMPLES", "0"))
BOUNDED = settings(
    max_examples=EXAMPLES or 60,
    derandomize=not EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
)
