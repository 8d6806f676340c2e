# SPDX-License-Identifier: BSD-3-Clause
# withheld.py - how well all-reduces that a model has not learned from are predicted
#
# withheld.py PLINK-SRIFT GRID: leaves a fifth of the sizes of each number of ranks out of
# the grid, other ones for each, has plink-srift train learn from the rest, and holds the
# medians of what was left out against what plink-srift predict says.
import collections
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def cell(row):
    return int(row["ranks"]), int(row["bytes"]), int(row["async"])


def choose(rows):
    """Never the ends, which nothing lies beyond."""
    sizes = sorted({int(row["bytes"]) for row in rows})
    return {
        (n, size, together)
        for n, size, together in map(cell, rows)
        if together == 1
        and (sizes.index(size) + n) % 5 == 2
        and sizes[0] < size < sizes[-1]
    }


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def predict(tool, model, instance, ranks, size):
    profile = {
        "plink-profile": 1,
        "model": "one layer",
        "layers": [{"name": "all", "bytes": size}],
        "instances": [
            {
                "name": instance,
                "batches": [1],
                "forward_s": [1e-9],
                "backward_s": [1e-9],
                "finish": [0],
            }
        ],
    }
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(profile, file)
        file.flush()
        said = run(
            tool, "predict", "--profile=" + file.name, "--model=" + model,
            "--machines=%dx%s@1" % (ranks, instance), "--json",
        )
    return json.loads(said)["exchange_s"]


def main():
    tool, grid = sys.argv[1:]
    rows = read(grid)
    held = choose(rows)
    seconds = collections.defaultdict(list)
    for row in rows:
        seconds[cell(row)].append(float(row["seconds"]))
    errors = []
    with tempfile.TemporaryDirectory() as folder:
        rest, model = os.path.join(folder, "rest.csv"), os.path.join(folder, "model")
        with open(rest, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(row for row in rows if cell(row) not in held)
        run(tool, "train", "--model=" + model, rest)
        print("  ranks     bytes  measured ms  predicted ms  ratio")
        for ranks, size, together in sorted(held):
            measured = statistics.median(seconds[ranks, size, together])
            said = predict(tool, model, rows[0]["instance"], ranks, size)
            errors.append(abs(said / measured - 1))
            print(
                "  %5d  %8d  %11.3f  %12.3f  %5.2f"
                % (ranks, size, 1e3 * measured, 1e3 * said, said / measured)
            )
    print(
        "%d withheld: MAPE %.1f %%, median %.1f %%, most %.1f %%"
        % (
            len(errors),
            100 * statistics.fmean(errors),
            100 * statistics.median(errors),
            100 * max(errors),
        )
    )


main()
