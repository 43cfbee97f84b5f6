"""Addresses of the library."""

from django.urls import path

from loans import views

urlpatterns = [path("loans/<int:days>/fine", views.fine), path("loans/search", views.search)]
