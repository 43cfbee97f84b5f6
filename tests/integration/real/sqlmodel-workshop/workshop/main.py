from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException
from sqlmodel import Session, select

from .billing import invoice_for
from .database import create_tables, get_session
from .models import Invoice, Job, JobCreate, Mechanic, MechanicCreate

Database = Annotated[Session, Depends(get_session)]


@asynccontextmanager
async def lifespan(app: FastAPI):
    create_tables()
    yield


app = FastAPI(title="Workshop", lifespan=lifespan)


@app.post("/mechanics", status_code=201)
def hire(mechanic: MechanicCreate, database: Database) -> Mechanic:
    row = Mechanic.model_validate(mechanic)
    database.add(row)
    database.commit()
    database.refresh(row)
    return row


@app.post("/jobs", status_code=201)
def take_in(job: JobCreate, database: Database) -> Job:
    row = Job.model_validate(job)
    database.add(row)
    database.commit()
    database.refresh(row)
    return row


@app.get("/jobs")
def open_jobs(database: Database) -> list[Job]:
    return list(database.exec(select(Job).order_by(Job.received)).all())


@app.get("/jobs/{job_id}/invoice")
def invoice(job_id: int, database: Database) -> Invoice:
    job = database.get(Job, job_id)
    if job is None:
        raise HTTPException(404, "no such job")
    return invoice_for(job)
