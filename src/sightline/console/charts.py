"""Charts as inline SVG: pure functions from numbers to markup. The style sheet sets the colors."""

from collections.abc import Sequence

from markupsafe import Markup

_WIDTH, _BROAD, _HEIGHT = 640, 1120, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 12, 14, 28
_MOST_LABELS = 7


def line_chart(
    labels: Sequence[str], series: Sequence[tuple[str, Sequence[float]]], *, title: str
) -> Markup:
    """Lines over named points; the first series is drawn as an area. All values are at least 0."""
    top = _nice_top(max((max(values, default=0) for _, values in series), default=0))
    parts = [_grid(top, _WIDTH), _line_labels(labels)]
    for at, (name, values) in enumerate(series):
        points = [(_x(n, len(labels)), _y(value, top)) for n, value in enumerate(values)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        if at == 0 and points:
            base = _HEIGHT - _BOTTOM
            area = f"{points[0][0]:.1f},{base} {line} {points[-1][0]:.1f},{base}"
            parts.append(Markup('<polygon class="area" points="{}"/>').format(area))
        parts.append(Markup('<polyline class="line s{}" points="{}"/>').format(at, line))
        for (x, y), label, value in zip(points, labels, values, strict=False):
            parts.append(
                Markup(
                    '<circle class="dot s{}" cx="{:.1f}" cy="{:.1f}" r="3"><title>{}</title></circle>'
                ).format(at, x, y, f"{label}: {value:g} {name}")
            )
    return _svg(parts, title)


def bar_chart(labels: Sequence[str], values: Sequence[float], *, title: str, unit: str) -> Markup:
    """Bars over named points, for the whole breadth of a page. All values are at least 0."""
    top = _nice_top(max(values, default=0))
    parts = [_grid(top, _BROAD), _bar_labels(labels)]
    slot = (_BROAD - _LEFT - _RIGHT) / max(1, len(labels))
    for n, (label, value) in enumerate(zip(labels, values, strict=True)):
        y = _y(value, top)
        parts.append(
            Markup(
                '<rect class="bar" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="2">'
                "<title>{}</title></rect>"
            ).format(
                _LEFT + n * slot + slot * 0.15,
                y,
                slot * 0.7,
                _HEIGHT - _BOTTOM - y,
                f"{label}: {value:g} {unit}",
            )
        )
    return _svg(parts, title, width=_BROAD)


def column_chart(
    labels: Sequence[str], values: Sequence[float | None], *, title: str, said: Sequence[str]
) -> Markup:
    """Columns with their amounts written over them, below the line where they are negative. `said` are the
    amounts in words."""
    known = [value for value in values if value is not None]
    high, low = max((0.0, *known)), min((0.0, *known))
    span = (high - low) or 1.0
    room = _HEIGHT - _TOP - _BOTTOM - 40
    base = _TOP + 17 + room * high / span
    slot = _WIDTH / max(1, len(labels))
    parts = [
        Markup('<line class="grid" x1="0" x2="{}" y1="{:.1f}" y2="{:.1f}"/>').format(
            _WIDTH, base, base
        )
    ]
    for n, (label, value, words) in enumerate(zip(labels, values, said, strict=True)):
        middle = (n + 0.5) * slot
        parts.append(
            Markup('<text class="tick middle" x="{:.1f}" y="{}">{}</text>').format(
                middle, _HEIGHT - 4, label
            )
        )
        if value is None:
            continue
        size = room * abs(value) / span
        top = base - size if value >= 0 else base
        parts.append(
            Markup(
                '<rect class="bar{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="3"/>'
                '<text class="amount middle" x="{:.1f}" y="{:.1f}">{}</text>'
            ).format(
                " last" if n == len(labels) - 1 else "",
                middle - min(slot * 0.3, 40),
                top,
                min(slot * 0.6, 80),
                max(size, 1),
                middle,
                top - 6 if value >= 0 else top + size + 16,
                words,
            )
        )
    return _svg(parts, title)


def sparkline(values: Sequence[float]) -> Markup:
    """A line over at least two values, oldest first, to stand in a row of text; negative ones too."""
    low, high = min((0.0, *values)), max((0.0, *values))
    span = (high - low) or 1.0
    step = 72 / max(1, len(values) - 1)
    points = [(2 + n * step, 20 - 18 * (value - low) / span) for n, value in enumerate(values)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return Markup(
        '<svg class="sparkline" viewBox="0 0 76 22" aria-hidden="true"><polyline class="line s0" '
        'points="{}"/><circle class="dot s0" cx="{:.1f}" cy="{:.1f}" r="2"/></svg>'
    ).format(line, *points[-1])


def gauge(value: float, top: float) -> Markup:
    """A bar filled to value/top. It says nothing by itself: the number stands beside it."""
    return Markup(
        '<svg class="gauge" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="back" width="100" height="6"/>'
        '<rect class="front" width="{:.1f}" height="6"/></svg>'
    ).format(100 * max(0.0, min(1.0, value / top)) if top else 0.0)


def _svg(parts: Sequence[Markup], title: str, *, width: int = _WIDTH) -> Markup:
    kind = "chart broad" if width > _WIDTH else "chart"
    head = Markup('<svg class="{}" viewBox="0 0 {} {}" role="img" aria-label="{}">').format(
        kind, width, _HEIGHT, title
    )
    return head + Markup("").join(parts) + Markup("</svg>")


def _grid(top: float, width: int) -> Markup:
    lines = []
    for share in (0.0, 0.5, 1.0):
        y = _y(top * share, top)
        lines.append(
            Markup('<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>').format(
                _LEFT, width - _RIGHT, y, y
            )
        )
        lines.append(
            Markup('<text class="tick end" x="{}" y="{:.1f}">{}</text>').format(
                _LEFT - 8, y + 4, f"{top * share:,g}"
            )
        )
    return Markup("").join(lines)


def _line_labels(labels: Sequence[str]) -> Markup:
    return _labels(labels, [_x(n, len(labels)) for n in range(len(labels))])


def _bar_labels(labels: Sequence[str]) -> Markup:
    slot = (_BROAD - _LEFT - _RIGHT) / max(1, len(labels))
    return _labels(labels, [_LEFT + (n + 0.5) * slot for n in range(len(labels))])


def _labels(labels: Sequence[str], places: Sequence[float]) -> Markup:
    """Some of the labels, evenly chosen, the last one always among them."""
    step = max(1, -(-len(labels) // _MOST_LABELS))
    return Markup("").join(
        Markup('<text class="tick middle" x="{:.1f}" y="{}">{}</text>').format(
            places[n], _HEIGHT - 8, labels[n]
        )
        for n in range((len(labels) - 1) % step, len(labels), step)
    )


def _x(n: int, count: int) -> float:
    inner = _WIDTH - _LEFT - _RIGHT - 24
    return _LEFT + 12 + (inner * n / (count - 1) if count > 1 else inner / 2)


def _y(value: float, top: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - value / top)


def _nice_top(most: float) -> float:
    """The least of 2, 4, 10, 20, 40, 100... that holds all values: half of it is a whole number."""
    size = 1
    while True:
        for step in (2, 4, 10):
            if most <= step * size:
                return float(step * size)
        size *= 10
