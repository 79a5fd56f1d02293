"""`python -m pentaglot` is the command line."""

from pentaglot.cli.start import main

if __name__ == "__main__":
    main()
