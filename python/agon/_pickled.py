"""Tables can be pickled, as programs do that run on several processes."""

from __future__ import annotations

import copyreg
from typing import Any

import numpy as np

from . import _agon
from ._agon import Table, UsageError


def _rebuilt(source: str, columns: list[tuple[str, Any, list[str] | None, str]], facts: dict[str, Any]) -> Table:
    builder = _agon.TableBuilder(source)
    for name, values, levels, kind in columns:
        if levels is None:
            builder.numbers(name, values, np.isnan(values))
        else:
            builder.labels(name, values.astype(np.int64), levels, values < 0, kind)
    if facts["experiments"]:
        builder.copy_experiments(facts["experiments"], facts["experiment"])
    builder.copy_facts(facts["weights"], facts["reasons"], facts["kinds_inferred"], facts["warnings"])
    return builder.finish(facts["notes"], facts["rows_dropped"], facts["options"])


def _reduced(held: Table) -> Any:
    if held.is_summary:
        raise UsageError("a table read from a covariance matrix has no rows to send\n  hint: pass the path of the file")
    columns = []
    for name in held.names:
        levels = held.levels(name) if held.kind(name) == "categorical" else None
        kind = "identifier" if name in held.identifiers else "category"
        columns.append((name, np.array(held.values(name)), levels, kind))
    facts = {
        "weights": None if held.weights is None else np.array(held.weights),
        "experiments": held.experiments,
        "experiment": None if held.experiment is None else np.array(held.experiment),
        "reasons": [held.reason(name) for name in held.names],
        "kinds_inferred": held.kinds_inferred,
        "notes": held.notes,
        "warnings": held.warnings,
        "rows_dropped": held.rows_dropped,
        "options": held.options,
    }
    return _rebuilt, (held.source, columns, facts)


copyreg.pickle(Table, _reduced)
