from functools import lru_cache
from typing import Literal

from pydantic import BaseModel, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


class Smtp(BaseModel):
    host: str = "localhost"
    port: int = 25
    user: str | None = None
    password: SecretStr | None = None


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="NOTIFY_", env_nested_delimiter="__", env_file=".env")

    environment: Literal["dev", "staging", "prod"] = "dev"
    smtp: Smtp = Smtp()
    recipients: dict[str, str] = {}
    quiet_hours: str = ""

    @field_validator("quiet_hours")
    @classmethod
    def stripped(cls, value: str) -> str:
        return value.strip()


@lru_cache
def get_settings() -> Settings:
    return Settings()
