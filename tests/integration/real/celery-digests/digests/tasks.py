from datetime import date, timedelta

from celery.utils.log import get_task_logger

from .celery_app import app
from .compose import compose
from .store import load_articles

log = get_task_logger(__name__)


@app.task(bind=True, max_retries=3, name="digests.weekly")
def weekly(self, name, sections, until):
    """Mail one subscriber what was written in the week before ``until``."""
    last = date.fromisoformat(until)
    articles = [article for article in load_articles() if last - timedelta(days=7) <= article.day < last]
    text = compose(name, articles, sections)
    log.info("digest for %s: %d characters", name, len(text))
    return {"to": name, "text": text}


@app.task(name="digests.all")
def weekly_for_all(subscribers, until):
    return [weekly.delay(each["name"], each["sections"], until).id for each in subscribers]
