"""What cron starts: ``python run.py TOPIC TEXT``."""

import sys
from datetime import datetime

from notify.sending import notify

if __name__ == "__main__":
    print(notify(sys.argv[1], sys.argv[2], datetime.now()))
