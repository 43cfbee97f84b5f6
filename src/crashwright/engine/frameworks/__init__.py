"""What is particular to a framework, one file each: what it declares and stores, and how a test does it."""
