"""What the search has beyond the published algorithms, by name: each can be switched off, to see what it brings."""

from __future__ import annotations

from enum import Enum


class Mechanism(Enum):
    """The value is what users write: ``--without NAME``."""

    WORDS = "words"
    """What the report says in its own words: calls that it echoes, with what is unknown in them filled by type and use."""
    GUIDANCE = "guidance"
    """Goals besides the crash: evidence of one chain, values that the test passed itself, what blocks the way, computed names of
    callees, data that guards read."""
    DIVERSITY = "diversity"
    """What keeps a population from collapsing: elites by behaviour, kept prefixes, legal values first."""
    TEXTS = "texts"
    """Structured text and bytes: dictionaries of what was compared, samples of formats, edits of their trees."""
    OBJECTS = "objects"
    """What no callable makes: definitions in the test, values that record what is asked of them, recipes of applications."""
    PRECONDITIONS = "preconditions"
    """What the symbolic engine knows of the crash: how far the arguments of its frames are from fulfilling it."""
    DISTANCE = "distance"
    """Of these alone, that they count in the fitness."""
    COMPOSITION = "composition"
    """Of these alone, tests that are composed, and the values in them."""
    REPAIRS = "repairs"
    """Of these alone, that a test gets the values that its run lacked for them to be fulfilled."""
    EDITS = "edits"
    """A search of its own in open texts: every small edit in order, and what was compared put in where it stands."""
    LIFT = "lift"
    """Searches from frames further in, in turns with the one from the chosen frame, and what they find carried outwards."""
    FLOW = "flow"
    """Of that, that what arrives in such a frame is followed to where in the outer test it came from."""
    AROUND = "around"
    """Of that, that the search from such a frame tries all that is one change away from its best test."""
    OWN_TESTS = "own-tests"
    """The project's own tests, run as they are: one that crashes this way is the result, those that come nearest are candidates."""
    WANTS = "wants"
    """What the whole package does with a value: the types that parameters without annotations get."""

    SURVIVORS = "survivors"
    """Of suites: a second search, for tests that tell mutants which no other test tells."""

    EARNED = "earned"
    """Shares by success: sources and operators have turns as often as they reach something new."""


ON_REQUEST = (Mechanism.WANTS, Mechanism.EARNED)
"""What is off unless ``--also NAME`` asks for it: nobody has shown yet that it helps a search."""
