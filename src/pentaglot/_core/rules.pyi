from collections.abc import Sequence

_Span = tuple[int, int]

class ExtractLimits:
    def __init__(
        self, max_source_span: int = 10, max_target_span: int = 10, min_gap: int = 2, tight: bool = True
    ) -> None: ...

def extract_occurrence(
    source_size: int,
    target_size: int,
    links: Sequence[tuple[int, int]],
    chunks: Sequence[_Span],
    left_gap: bool,
    right_gap: bool,
    limits: ExtractLimits,
) -> list[tuple[_Span, _Span, list[tuple[_Span, _Span]]]]: ...
