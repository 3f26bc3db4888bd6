"""Several runners of pytest share out one list of files: each runs the next file that no other has taken.

TESSERA_TAKEN_FILES names the folder in which a file is taken by making a folder of its name, which only one runner can.
"""

import os
import pathlib

import pytest

mine: dict[pathlib.Path, bool] = {}


def take(file: pathlib.Path) -> bool:
    folder = os.environ.get("TESSERA_TAKEN_FILES")
    if folder is None:
        return True
    try:
        os.mkdir(pathlib.Path(folder) / file.name)
        return True
    except FileExistsError:
        return False


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    if item.path not in mine:
        mine[item.path] = take(item.path)
    return None if mine[item.path] else True  # True: that is all there is to do for this test here
