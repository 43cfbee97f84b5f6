"""Making statements and values: the factory and all that it draws from."""
