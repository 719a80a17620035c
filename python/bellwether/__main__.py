"""`python -m bellwether` is the program `bellwether`, where the commands of an environment are not on the path."""

from ._program import main

main()
