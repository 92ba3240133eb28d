"""The fuzz tests of the sandbox's messages and of what is handed in, with as many examples as there is time for.

    python tests/benchmarks/fuzz.py [EXAMPLES]

In CI they draw few examples, always the same; here many, and new ones each time. What fails is printed by hypothesis
with the example that shows it. Exit code 0: nothing failed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = ("tests/hostile/test_fuzz.py", "tests/hostile/test_fuzz_readers.py")
MANY = "2000"


def main() -> int:
    """Run them; the number of examples of each test is the only argument."""
    examples = sys.argv[1] if len(sys.argv) > 1 else MANY
    started = time.monotonic()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"ATTN_FUZZ_EXAMPLES": examples}, check=False)
    sys.stdout.write(f"{examples} examples of each test, {time.monotonic() - started:.0f} s\n")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
