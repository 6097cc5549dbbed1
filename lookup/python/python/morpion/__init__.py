"""Perfect play for morpion (tic-tac-toe) and its family.

>>> morpion.open_game("swap").best("XX./OO./XO. x")
['a3-c1']
"""

from . import openspiel as openspiel
from ._core import ERROR_KINDS, __version__, builtin_names
from .answers import Move, Moves, Score, Scores
from .errors import MorpionError, PositionError, TableError
from .game import Game, Positions
from .judge import Fault, Judgement, Regret
from .line import Line
from .openspiel import Grade, grade
from .parquet import Dataset, dataset
from .position import Position
from .solve import judge, read_game, solve
from .table import Table, open_game
from .training import TrainingArrays

__all__ = [
    "Table", "Game", "Position", "Positions", "Score", "Move", "Scores", "Moves", "Line", "Judgement", "Fault", "Regret", "Grade",
    "TrainingArrays", "Dataset", "builtin_names", "open_game", "dataset", "grade", "judge", "read_game", "solve", "ERROR_KINDS", "MorpionError", "PositionError", "TableError", "__version__",
]  # fmt: skip

# Shown, and pickled, under the names by which they are imported.
for _class in (Game, Position, Positions, Move, Moves, Score, Scores, Fault, Judgement, Regret, Line, Table, TrainingArrays, Dataset):
    _class.__module__ = "morpion"
