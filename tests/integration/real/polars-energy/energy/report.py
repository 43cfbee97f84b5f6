from __future__ import annotations

import sys

from .forecast import peak_factor, trend
from .readings import read


def summary(path: str, meters: list[str]) -> str:
    frame = read(path)
    lines = [f"{meter}: {peak_factor(frame, meter)}" for meter in meters]
    lines.append(f"trend {trend(frame):+.1f} kWh")
    return "\n".join(lines)


def main() -> None:
    path, *meters = sys.argv[1:]
    print(summary(path, meters))


if __name__ == "__main__":
    main()
