"""The engine as a process: the zygote that imports the subject and watches, and the fork of it that searches."""
