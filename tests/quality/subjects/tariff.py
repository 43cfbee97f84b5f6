"""A chain of calls, each behind guards on numbers."""

RATES = (12, 19, 27, 31)


def quote(weight, distance, express=False):
    if weight <= 0 or distance <= 0:
        raise ValueError("nothing to send")
    price = weight * 3
    if weight > 370 and distance > 4100:
        price += freight(weight, distance - 4100)
    return price * 2 if express else price


def freight(weight, far):
    if weight < 455 and far > 130:
        return band(far // 50)
    return far * 2


def band(number):
    if number < 20:
        return RATES[number]
    return RATES[-1]
