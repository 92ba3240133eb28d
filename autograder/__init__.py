"""The engine that grades implementations and says which mistake was made; it knows nothing of attention."""

__version__ = "0.1.0"
