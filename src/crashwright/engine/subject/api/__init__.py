"""What a test can call, how it is reached, and the types that it takes and gives."""
