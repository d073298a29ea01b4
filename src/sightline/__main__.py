"""`python -m sightline`: the same as the command `sightline`."""

from sightline.cli.main import main

if __name__ == "__main__":
    main()
