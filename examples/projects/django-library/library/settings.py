"""Settings of the library; the database is in memory."""

SECRET_KEY = "for-development-only"
DEBUG = False
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "library.urls"
INSTALLED_APPS = ["django.contrib.contenttypes", "loans"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
USE_TZ = True
FINE_PER_DAY = {"book": 0.2, "film": 1.0}
