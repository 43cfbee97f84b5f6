"""Settings of an example: a small clinic."""

from pathlib import Path

SECRET_KEY = "only for this example"
ALLOWED_HOSTS = ["*"]
INSTALLED_APPS = ["django.contrib.contenttypes", "django.contrib.auth", "visits"]
ROOT_URLCONF = "clinic.urls"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": Path(__file__).parent / "clinic.sqlite3"}}
USE_TZ = False
