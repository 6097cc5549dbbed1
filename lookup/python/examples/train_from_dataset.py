"""Trains a network on a data set that `python -m morpion dataset GAME FOLDER` wrote. Needs pyarrow and numpy.

Prints how often the trained network is right about positions that are not symmetric to any that it has seen.
"""

import sys
from pathlib import Path

import numpy
import pyarrow.parquet


def load(folder, split, numbers):
    """Features, a column for each number of a cell in each plane, and values: column 0 is a loss for the side to move, 1 a draw, 2 a win.

    `numbers` has the numbers of each plane. The first split fills it, because another split may lack some of them.
    """
    table = pyarrow.parquet.read_table(sorted(Path(folder, "data").glob(f"{split}-*.parquet")))
    planes = {name: numpy.stack(table[name].to_numpy()) for name in ("board", "hands", "ages") if name in table.column_names}
    if "ages" in planes:
        planes["board"] = planes["board"] * planes.pop("ages")
    features = [plane == number for name, plane in planes.items() for number in numbers.setdefault(name, numpy.unique(plane))]
    return numpy.concatenate(features, axis=1), numpy.eye(3, dtype="f")[table["value"].to_numpy() + 1]


def train(features, values, hidden=64, epochs=8, batch=128, rate=0.3):
    """Stochastic gradient descent with one hidden layer; returns a function from features to probabilities."""
    numbers = numpy.random.default_rng(1)
    first = numbers.normal(0, features.shape[1] ** -0.5, (features.shape[1], hidden)).astype("f")
    second = numpy.zeros((hidden, 3), "f")
    for epoch in range(epochs):
        for rows in numpy.array_split(numbers.permutation(len(features)), len(features) // batch):
            seen = features[rows].astype("f")
            inner = numpy.maximum(seen @ first, 0)
            guess = numpy.exp(inner @ second)
            error = (guess / guess.sum(1, keepdims=True) - values[rows]) / len(rows)
            first -= rate * seen.T @ ((error @ second.T) * (inner > 0))
            second -= rate * inner.T @ error
    return lambda features: numpy.maximum(features @ first, 0) @ second


if __name__ == "__main__":
    numbers = {}
    model = train(*load(sys.argv[1], "train", numbers))
    features, values = load(sys.argv[1], "test", numbers)
    right = model(features).argmax(1) == values.argmax(1)
    print(f"{right.mean():.1%} of {len(right)} positions; always guessing the most frequent value: {values.mean(0).max():.1%}")
