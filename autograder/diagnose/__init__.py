"""From what a submission gave to what was mistaken in it.

A known mistake is an edit of the reference, and so a world of its own: it answers the same recorded calls. A function
is explained by edits where the submission gave what their world gives in every call, and where that world is clearly
not the reference's in at least one of them. What was found for the functions that a function uses is tried first: one
mistake costs one explanation. Where no edit explains a function, pairs are composed; where none does, the finding names
the property that broke, on the smallest call that shows it.

No files, processes or clock: what is spent is counted in replays of composed edits.
"""

from autograder.diagnose.evidence import Evidence, Observation, World, overlap
from autograder.diagnose.findings import diagnose
from autograder.diagnose.search import Search

__all__ = ["Evidence", "Observation", "Search", "World", "diagnose", "overlap"]
