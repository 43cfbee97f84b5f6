import pandas as pd


def load(path):
    frame = pd.read_csv(path, parse_dates=["start", "end"])
    frame["hours"] = (frame["end"] - frame["start"]).dt.total_seconds() / 3600
    return frame
