"""How well the types of parameters and attributes are read off packages whose annotations were taken out."""
