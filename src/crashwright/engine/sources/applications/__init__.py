"""How a test comes to an application from outside: by requests to it and by command lines, with the state that these need."""
