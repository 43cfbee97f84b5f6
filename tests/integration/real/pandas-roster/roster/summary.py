import pandas as pd


def weekly_hours(frame: pd.DataFrame) -> pd.Series:
    weeks = frame["start"].dt.isocalendar().week
    return frame.groupby(["person", weeks])["hours"].sum()


def busiest_week(frame: pd.DataFrame, person: str) -> int:
    hours = weekly_hours(frame[frame["person"] == person])
    return int(hours.idxmax()[1])


def overtime(frame: pd.DataFrame, person: str, agreed: float = 38.5) -> float:
    hours = weekly_hours(frame[frame["person"] == person])
    return float((hours - agreed).clip(lower=0).sum())
