from datetime import date
from typing import Optional

from sqlmodel import Field, Relationship, SQLModel


class Mechanic(SQLModel, table=True):
    id: Optional[int] = Field(default=None, primary_key=True)
    name: str = Field(index=True)
    hourly_rate: float
    jobs: list["Job"] = Relationship(back_populates="mechanic")


class JobBase(SQLModel):
    bicycle: str
    received: date
    hours: float = 0
    mechanic_id: Optional[int] = Field(default=None, foreign_key="mechanic.id")


class Job(JobBase, table=True):
    id: Optional[int] = Field(default=None, primary_key=True)
    mechanic: Optional[Mechanic] = Relationship(back_populates="jobs")
    parts: list["Part"] = Relationship(back_populates="job")


class Part(SQLModel, table=True):
    id: Optional[int] = Field(default=None, primary_key=True)
    name: str
    price: float
    job_id: int = Field(foreign_key="job.id")
    job: Job = Relationship(back_populates="parts")


class JobCreate(JobBase):
    pass


class MechanicCreate(SQLModel):
    name: str
    hourly_rate: float = Field(gt=0)


class Invoice(SQLModel):
    bicycle: str
    labour: float
    parts: float
    total: float
