from datetime import date

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    pass


db = SQLAlchemy(model_class=Base)


class Tool(db.Model):
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    deposit: Mapped[int | None]
    rentals: Mapped[list["Rental"]] = relationship(back_populates="tool")


class Rental(db.Model):
    id: Mapped[int] = mapped_column(primary_key=True)
    tool_id: Mapped[int] = mapped_column(db.ForeignKey("tool.id"))
    customer: Mapped[str]
    since: Mapped[date]
    until: Mapped[date | None]
    tool: Mapped[Tool] = relationship(back_populates="rentals")
