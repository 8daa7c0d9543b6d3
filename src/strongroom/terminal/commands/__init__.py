"""The commands: for each, a module has its help, `NAME_HELP`, its arguments, `define_name`, and its
code, `run_name`.

What a command needs is imported when it runs: help and shell completion only ask for arguments.
"""
