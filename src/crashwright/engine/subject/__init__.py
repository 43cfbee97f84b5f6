"""What the subject offers and how its code flows: live API, types, source, control flow, constants."""
