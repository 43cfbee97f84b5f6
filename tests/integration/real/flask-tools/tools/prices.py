PER_DAY = 4


def days_of(rental):
    return (rental.until - rental.since).days + 1


def refund(rental):
    """What the customer gets back of the deposit."""
    return max(0, rental.tool.deposit - days_of(rental) * PER_DAY)
