from .models import Invoice, Job

VAT = 0.2


def labour(job: Job) -> float:
    return job.hours * job.mechanic.hourly_rate


def invoice_for(job: Job) -> Invoice:
    parts = sum(part.price for part in job.parts)
    work = labour(job)
    return Invoice(bicycle=job.bicycle, labour=work, parts=parts, total=round((work + parts) * (1 + VAT), 2))
