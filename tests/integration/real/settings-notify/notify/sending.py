from datetime import datetime
from email.message import EmailMessage

from .config import get_settings
from .hours import is_quiet


def build(topic: str, text: str) -> EmailMessage:
    settings = get_settings()
    message = EmailMessage()
    message["Subject"] = f"[{settings.environment}] {topic}"
    message["To"] = settings.recipients[topic]
    message.set_content(text)
    return message


def notify(topic: str, text: str, now: datetime) -> EmailMessage | None:
    if is_quiet(now.time()) and topic != "outage":
        return None
    return build(topic, text)
