"""Probes a table that `python -m morpion tensors GAME FILE.npz` wrote, without the package morpion.

`probe` uses only operators, indexing, `sum` and `cumsum` of its arrays: convert the tensors, and it runs in other libraries of arrays.
Run with a file, it prints the value of the empty board.
"""

import sys

import numpy


def load(path):
    with numpy.load(path) as file:
        return dict(file)


def probe(tensors, boards, hands=None, ages=None):
    """Values, half-moves and kinds of draw of positions.

    Boards are positions × cells: 1 for a piece of the side to move, -1 for one of the other side. Hands are positions × 2, pieces in hand,
    and ages positions × cells, 1 for the oldest piece of its side. Leave out those that the game does not have.
    """
    own, other, choose = (boards > 0) * 1, (boards < 0) * 1, tensors["choose"]
    m, w = own.sum(1), other.sum(1)
    cells = own[0] * 0 + 1
    cells = cells.cumsum(0) - 1
    each = ((m * 0 + 1).cumsum(0) - 1)[:, None]
    # The rank of the mover's set finds its orbit, which is the row, and the symmetry that takes it to the orbit's first set.
    entry = tensors["map_start"][m] + (own * choose[cells, own.cumsum(1)]).sum(1)
    row, inverse = tensors["row"][entry], tensors["inverse"][tensors["symmetry"][entry]]
    own, other = own[each, inverse], other[each, inverse]
    # The rank of the waiter's set among the cells that are left is the column.
    column = (other * choose[(1 - own).cumsum(1) - 1, other.cumsum(1)]).sum(1)
    if ages is not None:
        moved = ages[each, inverse] * 1
        row = row * tensors["orders"][m] + order(tensors, moved * own, cells)
        column = column * tensors["orders"][w] + order(tensors, moved * other, cells)
    h, i = (m * 0, m * 0) if hands is None else (hands[:, 0] * 1, hands[:, 1] * 1)
    layer = tensors["layer"][m, w, h, i]
    key = tensors["start"][layer] + tensors["scale"][layer] * (row * tensors["columns"][layer] + column)
    return tensors["values"][key], tensors["plies"][key], tensors["draws"][key]


def order(tensors, ages, cells):
    """The number of an order of pieces: for each piece, how many younger ones are on lower cells."""
    is_lower = cells[None, :] < cells[:, None]
    younger = ((ages[:, None, :] > ages[:, :, None]) & is_lower[None]).sum(2)
    later = ((ages > 0) * 1).sum(1)[:, None] - ages
    return ((ages > 0) * younger * tensors["orders"][later]).sum(1)


if __name__ == "__main__":
    tensors = load(sys.argv[1])
    value, plies, _ = probe(tensors, numpy.zeros((1, tensors["inverse"].shape[1]), int))
    print(f"value {value[0]}, plies {plies[0]}")
