import argparse

from roster.load import load
from roster.summary import busiest_week, overtime


def main(argv=None):
    parser = argparse.ArgumentParser(prog="roster")
    parser.add_argument("file")
    parser.add_argument("person")
    arguments = parser.parse_args(argv)
    frame = load(arguments.file)
    print(f"busiest week: {busiest_week(frame, arguments.person)}")
    print(f"overtime: {overtime(frame, arguments.person):.1f} h")


if __name__ == "__main__":
    main()
