"""A whole class at once: what was handed in, graded and written down."""
