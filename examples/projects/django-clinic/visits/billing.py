"""What a patient has to pay."""

from datetime import date

from visits.models import Patient


def due(patient: Patient, since: date) -> float:
    """The fees since a day, without what the insurance pays."""
    total = 0.0
    for visit in patient.visits.filter(day__gte=since):
        total += float(visit.fee) * (1 - patient.insurance.share)
    return round(total, 2)
