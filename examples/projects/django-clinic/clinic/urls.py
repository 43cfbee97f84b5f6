"""The pages."""

from django.urls import include, path
from visits import views

urlpatterns = [path("patients/", include([path("<int:number>/bill", views.bill, name="bill")]))]
