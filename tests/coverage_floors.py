"""Holds the packages to their floors of branch coverage, after the tests have run under coverage.

100 % in engine and protocol, 95 % in server and clients.
"""

import io
import sys

from coverage import Coverage

FLOORS = {"engine": 100.0, "protocol": 100.0, "server": 95.0, "clients": 95.0}


def main() -> int:
    """Print each package's coverage and the lines that were missed. Returns 1 where one is below its floor."""
    measured = Coverage()
    measured.combine()
    failed = False
    for package, floor in FLOORS.items():
        report = io.StringIO()
        total = measured.report(include=[f"{package}/*"], file=report, show_missing=True, skip_covered=True)
        good = total >= floor
        print(f"coverage of {package}: {total:.1f} % (floor {floor:.0f} %)")
        if not good:
            print(report.getvalue())
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
