"""Line charts with logarithmic axes, as SVG."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 210, 48, 56
COLOURS = ["#1b6ca8", "#c8553d", "#3a7d44", "#8d5a97", "#b8860b", "#4a4a4a", "#008b8b"]


def decades(low, high):
    """The powers of ten from at most `low` to at least `high`, two or more."""
    first = math.floor(math.log10(low) + 1e-9)
    last = math.ceil(math.log10(high) - 1e-9)
    return [10.0 ** e for e in range(first, max(last, first + 1) + 1)]


def number_text(value):
    """10000 -> 10k, 0.1 -> 0.1"""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def spread_apart(wanted, gap):
    """The given positions, moved as little as needed to be `gap` apart; in the order given."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed = list(wanted)
    for before, after in zip(order, order[1:]):
        placed[after] = max(placed[after], placed[before] + gap)
    return placed


def line_chart(title, x_label, y_label, curves):
    """SVG text. `curves` is {name: [(x, y)]}; all numbers are above zero."""
    points = [p for curve in curves.values() for p in curve]
    if not points:
        raise ValueError("there is nothing to plot")
    xs = decades(min(x for x, _ in points), max(x for x, _ in points))
    ys = decades(min(y for _, y in points), max(y for _, y in points))

    def place(value, marks, start, end):
        part = (math.log10(value) - math.log10(marks[0])) / (math.log10(marks[-1]) - math.log10(marks[0]))
        return start + part * (end - start)

    def at_x(x):
        return place(x, xs, LEFT, WIDTH - RIGHT)

    def at_y(y):
        return place(y, ys, HEIGHT - BOTTOM, TOP)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="26" font-size="16" font-weight="bold">{escape(title)}</text>',
    ]
    for x in xs:
        out.append(f'<line x1="{at_x(x):.1f}" y1="{TOP}" x2="{at_x(x):.1f}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        out.append(f'<text x="{at_x(x):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{number_text(x)}</text>')
    for y in ys:
        out.append(f'<line x1="{LEFT}" y1="{at_y(y):.1f}" x2="{WIDTH - RIGHT}" y2="{at_y(y):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{at_y(y) + 4:.1f}" text-anchor="end">{number_text(y)}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 14}" text-anchor="middle">{escape(x_label)}</text>')
    out.append(f'<text transform="translate(18 {(TOP + HEIGHT - BOTTOM) / 2:.0f}) rotate(-90)" '
               f'text-anchor="middle">{escape(y_label)}</text>')

    # The legend stands beside the ends of the curves.
    ends = spread_apart([at_y(sorted(curve)[-1][1]) for curve in curves.values()], 18)
    for n, ((name, curve), end) in enumerate(zip(curves.items(), ends)):
        colour = COLOURS[n % len(COLOURS)]
        line = [(at_x(x), at_y(y)) for x, y in sorted(curve)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in line)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in line]
        if line[-1][0] < WIDTH - RIGHT - 1 or abs(end - line[-1][1]) > 1:
            out.append(f'<line x1="{line[-1][0] + 5:.1f}" y1="{line[-1][1]:.1f}" x2="{WIDTH - RIGHT + 10}" '
                       f'y2="{end:.1f}" stroke="{colour}" stroke-width="0.7" stroke-dasharray="2 2"/>')
        out.append(f'<text x="{WIDTH - RIGHT + 14}" y="{end + 4:.1f}" fill="{colour}">{escape(name)}</text>')
    return "\n".join(out + ["</svg>", ""])
