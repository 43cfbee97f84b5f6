"""A workshop: what was handed in is looked at, waits for parts, and goes on when they come. When the parts of two orders come, the
second finds nobody waiting."""


class Refused(Exception):
    pass


class Device:
    def __init__(self, serial: str, owner: str) -> None:
        self.serial = serial
        self.owner = owner


class Register:
    def __init__(self, devices=()) -> None:
        self._devices = {device.serial: device for device in devices}

    def get(self, serial: str) -> Device:
        if serial not in self._devices:
            raise Refused(f"no device {serial}")
        return self._devices[serial]


class Job:
    def __init__(self, number: int, device: Device) -> None:
        self.number = number
        self.device = device
        self.state = "new"
        self.waits_since = None
        self.waited = 0


class Orders:
    def __init__(self) -> None:
        self._jobs = {}

    def place(self, job: Job, part: str) -> str:
        name = f"{part}-{len(self._jobs) + 1}"
        self._jobs[name] = job
        return name

    def deliver(self, order_id: str) -> Job:
        if order_id not in self._jobs:
            raise Refused(f"{order_id} is not on its way")
        return self._jobs.pop(order_id)


class Workshop:
    def __init__(self, *, register, orders, jobs) -> None:
        self._register = register
        self._orders = orders
        self._jobs = jobs

    def hand_in(self, serial: str) -> Job:
        job = Job(len(self._jobs) + 31, self._register.get(serial))
        self._jobs[job.number] = job
        return job

    def inspect(self, number: int) -> None:
        self._job(number, "new").state = "inspected"

    def order_part(self, number: int, part: str, day: int) -> str:
        job = self._job(number, "inspected", "waiting")
        job.state, job.waits_since = "waiting", day
        return self._orders.place(job, part)

    def part_came(self, order_id: str, day: int) -> Job:
        job = self._orders.deliver(order_id)
        self._go_on(job, day)
        return job

    def _go_on(self, job: Job, day: int) -> None:
        job.waited += day - job.waits_since
        job.state, job.waits_since = "inspected", None

    def _job(self, number: int, *states: str) -> Job:
        job = self._jobs.get(number)
        if job is None or job.state not in states:
            raise Refused(f"no job {number} that is {' or '.join(states)}")
        return job


def open_workshop(devices=()):
    return Workshop(register=Register(devices), orders=Orders(), jobs={})
