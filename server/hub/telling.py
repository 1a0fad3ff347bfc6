"""What is logged of a table's course: its beginning, its start and its end, once, by the process that made the step."""

import structlog

from server.table.fold import Step

log = structlog.get_logger()


def tell(step: Step) -> None:
    """Log what a step means for the table as a whole, if anything."""
    before, table = step.transitions[0].before, step.table
    if before is None:
        log.info("table_made", table=table.id, seats=len(table.seats), private=table.options.private)
    elif table.begun and not before.begun:
        log.info("table_started", table=table.id)
    if table.ended and (before is None or before.status != table.status):
        log.info("table_over" if table.status == "over" else "table_closed", table=table.id, versions=table.version)
