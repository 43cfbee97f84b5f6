"""The pages about visits."""

from datetime import date

from django.http import HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404

from visits import billing
from visits.models import Patient


def bill(request: HttpRequest, number: int) -> JsonResponse:
    patient = get_object_or_404(Patient, pk=number)
    since = date.fromisoformat(request.GET.get("since", "2026-01-01"))
    return JsonResponse({"patient": patient.name, "due": billing.due(patient, since)})
