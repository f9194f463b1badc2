"""Read the results of sdrsim: the folders below results/, or below $RESULTS where that is set."""

import os
import pathlib

import numpy as np
import pandas as pd

ROOT = pathlib.Path(os.environ.get("RESULTS") or pathlib.Path(__file__).parent.parent / "results")


def load(name):
    """The table of a scenario, such as load("paper/fig9"): a row for each point and scheme."""
    file = ROOT / name / "points.csv"
    if not file.exists():
        raise FileNotFoundError(f"{file}: there are no results; run: make results")
    return pd.read_csv(file)


def where(table, **values):
    """The rows on some values of swept paths: where(t, p=1e-3, size=128 * MiB, scheme="ec-mds").

    A keyword is the last word of a path, so that p stands for link.loss.p.
    """
    for word, value in values.items():
        column = next(c for c in table.columns if c.split(".")[-1] == word)
        if isinstance(value, str):
            table = table[table[column] == value]
        else:
            table = table[np.isclose(table[column], value, rtol=1e-3, atol=0)]
    return table


def wide(table, path, value="completion_mean_s"):
    """One column for each scheme, one row for each value of a swept path."""
    return table.pivot(index=path, columns="scheme", values=value)


KiB, MiB, GiB = 2**10, 2**20, 2**30
