"""Functions that are handed objects of the standard library, whose answers decide everything."""

import configparser
import email.message
import socket
import sqlite3
import zipfile


def commands_in(parser: configparser.ConfigParser):
    found = {}
    for section in parser.sections():
        if section.startswith("command:"):
            name = section.partition(":")[2]
            if parser.getboolean(section, "enabled", fallback=True):
                found[name] = parser.get(section, "run").split()
    return found


def subject_of(message: email.message.Message) -> str:
    if message.is_multipart():
        parts = [part for part in message.walk() if part.get_content_type() == "text/plain"]
        return f"{len(parts)} parts"
    if message["X-Spam"] == "yes":
        return "spam"
    return message.get("Subject", "(none)").strip()


def size_of(archive: zipfile.ZipFile) -> int:
    total = 0
    for info in archive.infolist():
        if info.filename.endswith("/"):
            continue
        if info.file_size > 1000:
            raise ValueError(f"too large: {info.filename}")
        total += info.file_size
    return total


class Greeter:
    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection

    def greet(self) -> str:
        banner = self.connection.recv(64)
        if not banner:
            raise ConnectionError("closed")
        if banner.startswith(b"220 "):
            self.connection.sendall(b"HELO me\r\n")
            return banner[4:].decode("ascii").strip()
        return ""


def names_in(database: sqlite3.Connection, least: int) -> list:
    rows = database.execute("select name, age from people order by name").fetchall()
    return [name.title() for name, age in rows if age >= least]
