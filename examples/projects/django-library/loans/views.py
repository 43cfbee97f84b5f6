"""Pages about loans."""

from django.conf import settings
from django.http import HttpRequest, JsonResponse

from loans.search import matching


def fine(request: HttpRequest, days: int) -> JsonResponse:
    kind = request.GET.get("kind", "book")
    return JsonResponse({"fine": days * settings.FINE_PER_DAY[kind]})


def search(request: HttpRequest) -> JsonResponse:
    found = matching(request.GET.get("q", ""), request.GET.get("sort"))
    return JsonResponse({"found": found})
