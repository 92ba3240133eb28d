"""`python -m autograder.cli` is `attn`."""

from autograder.cli import main

main()
