"""What is lent, and to whom."""

from django.conf import settings
from django.db import models


class Loan(models.Model):
    title = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, default="book")
    due = models.DateField(null=True)
    returned = models.DateField(null=True)

    def days_late(self) -> int:
        """Days between the day it was due and the day it came back."""
        return max((self.returned - self.due).days, 0)

    def fine(self) -> float:
        return self.days_late() * settings.FINE_PER_DAY[self.kind]
