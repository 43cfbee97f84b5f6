import argparse
import asyncio
from datetime import date

from .database import create_tables, new_session
from .lending import add_book, fees_of, lend


async def run(arguments: argparse.Namespace) -> None:
    await create_tables()
    async with new_session() as session:
        if arguments.command == "add":
            book = await add_book(session, arguments.title)
            print(f"book {book.id}")
        elif arguments.command == "lend":
            loan = await lend(session, arguments.book, arguments.reader, arguments.due)
            print(f"loan {loan.id}")
        else:
            print(f"{await fees_of(session, arguments.reader):.2f} EUR")


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="library")
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("add")
    add.add_argument("title")
    lending = commands.add_parser("lend")
    lending.add_argument("book", type=int)
    lending.add_argument("reader")
    lending.add_argument("due", type=date.fromisoformat)
    fees = commands.add_parser("fees")
    fees.add_argument("reader")
    asyncio.run(run(parser.parse_args(argv)))


if __name__ == "__main__":
    main()
