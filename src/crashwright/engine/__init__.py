"""The engine wing: standard library only, loaded into the interpreter that can import the subject."""
