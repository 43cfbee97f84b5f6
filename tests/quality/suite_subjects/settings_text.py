"""Reads settings files: sections, keys, lists and comments."""

import re


class SettingsError(Exception):
    def __init__(self, line, message):
        super().__init__(f"line {line}: {message}")
        self.line = line


_KEY = re.compile(r"^[a-z][a-z0-9_-]*$")


def parse_value(text):
    """A bool, a number, a list or a text."""
    text = text.strip()
    if text in ("yes", "true", "on"):
        return True
    if text in ("no", "false", "off"):
        return False
    if text.startswith("[") and text.endswith("]"):
        inner = text[1:-1].strip()
        return [parse_value(part) for part in inner.split(",")] if inner else []
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return text[1:-1].replace('\\"', '"')
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def parse_line(line, number=1):
    """("section", name), ("pair", key, value), or None for blank lines and comments."""
    line = line.split("#", 1)[0].strip()
    if not line:
        return None
    if line.startswith("["):
        if not line.endswith("]"):
            raise SettingsError(number, "unclosed section")
        name = line[1:-1].strip()
        if not name:
            raise SettingsError(number, "section without a name")
        return ("section", name)
    key, sep, value = line.partition("=")
    if not sep:
        raise SettingsError(number, f"expected key = value, got {line!r}")
    key = key.strip()
    if not _KEY.match(key):
        raise SettingsError(number, f"bad key {key!r}")
    return ("pair", key, parse_value(value))


def parse(text, defaults=None):
    settings = {"": dict(defaults or {})}
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        item = parse_line(line, number)
        if item is None:
            continue
        if item[0] == "section":
            section = item[1]
            if section in settings:
                raise SettingsError(number, f"section {section!r} twice")
            settings[section] = {}
        else:
            settings[section][item[1]] = item[2]
    return settings


class Settings:
    def __init__(self, text="", defaults=None):
        self._data = parse(text, defaults)

    def sections(self):
        return sorted(name for name in self._data if name)

    def get(self, key, default=None):
        section, _, name = key.rpartition(".")
        try:
            return self._data[section][name]
        except KeyError:
            return default

    def numbers(self, key):
        """Yields the numbers of a list."""
        value = self.get(key, [])
        if not isinstance(value, list):
            value = [value]
        for one in value:
            if isinstance(one, (int, float)) and not isinstance(one, bool):
                yield one

    def dump(self):
        lines = []
        for name in sorted(self._data):
            if name:
                lines.append(f"[{name}]")
            for key, value in sorted(self._data[name].items()):
                lines.append(f"{key} = {value}")
        return "\n".join(lines)
