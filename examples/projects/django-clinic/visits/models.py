"""Patients, what they are insured for, and their visits."""

from django.db import models


class Insurance(models.Model):
    name = models.CharField(max_length=80)
    share = models.FloatField(default=0.8)


class Patient(models.Model):
    name = models.CharField(max_length=80)
    insurance = models.ForeignKey(Insurance, null=True, blank=True, on_delete=models.SET_NULL)


class Visit(models.Model):
    patient = models.ForeignKey(Patient, related_name="visits", on_delete=models.CASCADE)
    day = models.DateField()
    fee = models.DecimalField(max_digits=8, decimal_places=2)
