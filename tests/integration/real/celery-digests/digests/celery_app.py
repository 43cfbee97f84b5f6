import os

from celery import Celery

app = Celery("digests", broker=os.environ.get("BROKER_URL", "memory://"), include=["digests.tasks"])
app.conf.update(task_serializer="json", accept_content=["json"], timezone="Europe/Vienna", task_acks_late=True)
