"""Pictures as PNG, where an SVG cannot be shown."""

from __future__ import annotations

from pentaglot.errors import OptionError

__all__ = ["to_png"]


def to_png(svg: str, *, zoom: float = 2.0) -> bytes:
    """A picture as PNG, `zoom` times as large. It needs the package `resvg_py` (the extra `pictures`)."""
    try:
        import resvg_py
    except ImportError as error:
        hint = "run pip install 'pentaglot[pictures]', or write SVG"
        raise OptionError("PNG pictures need the package resvg_py", hint=hint) from error
    return bytes(
        resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom, background="#ffffff", sans_serif_family="DejaVu Sans")
    )
