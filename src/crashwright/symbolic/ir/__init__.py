"""Functions as control flow graphs of three-address instructions, lowered from syntax trees."""
