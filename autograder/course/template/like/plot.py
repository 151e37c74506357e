# %% [markdown]
# # Figures
#
# In this notebook you draw with matplotlib.

# %% role="setup"
import matplotlib.pyplot as plt

from kqa_core.check import check, hint, progress, solution

# %% [markdown] exercise="draw_squares" role="statement" points=2 title="A curve with its labels" minutes=10
# Draw a figure in which each of the `numbers` stands on the horizontal axis and its square on the vertical
# axis, joined by one line. Label the axes `number` and `square`. Return the axes (`ax`).
#
# Hint: `fig, ax = plt.subplots()` makes a figure with axes to draw on.
#
# Hint: `ax.plot(x, y)` joins the points by a line. What are x and y?
#
# Hint: `ax.set_xlabel("number")` labels the horizontal axis.


# %% exercise="draw_squares" role="solution"
def draw_squares(numbers):
    """Axes with one line through the points (number, number squared)."""
    fig, ax = plt.subplots()
    ax.plot(numbers, [number**2 for number in numbers])
    ax.set_xlabel("number")
    ax.set_ylabel("square")
    plt.close(fig)
    return ax


# %% exercise="draw_squares" role="visible"
# The axes stay where the student's code runs. The check asks for the lines and their points: no picture is
# compared, so colours and sizes are free.
def values(answer, ax):
    """The points of all lines, and the labels."""
    expect(isinstance(ax, Handle) and ax.type_name == "Axes", "return the axes, ax")
    lines = answer.method(answer.attribute(ax, "lines"), "__len__")
    points = [
        [answer.method(answer.method(answer.attribute(ax, "lines"), "__getitem__", number), "get_xydata")]
        for number in range(lines)
    ]
    return [points, answer.method(ax, "get_xlabel"), answer.method(ax, "get_ylabel")]


def check(answer, rng):
    """Three numbers."""
    lines, *labels = values(answer, answer([1, 2, 4]))
    expect(len(lines) == 1, f"one line joins the points; yours are {len(lines)}")
    points = lines[0][0].tolist()
    expect(points == [[1, 1], [2, 4], [4, 16]], f"the points are (1, 1), (2, 4), (4, 16); yours are {points}")
    expect(labels == ["number", "square"], f"the labels are number and square; yours are {labels}")
    return right("the line, its points and both labels are there")


# %% exercise="draw_squares" role="key"
def inputs(rng):
    """Numbers from which the hidden check and the comparison with wrong answers draw."""
    return [(sorted(rng.sample(range(2, 50), 5)),) for _ in range(3)]


def right_with_the_axes_of_pyplot(numbers):
    plt.close("all")
    plt.figure()
    plt.plot(numbers, [number * number for number in numbers], "o-")
    plt.xlabel("number")
    plt.ylabel("square")
    return plt.gca()


def wrong_the_axes_exchanged(numbers):
    """Your axes are exchanged: the numbers belong on the horizontal one."""
    plt.close("all")
    ax = plt.subplots()[1]
    ax.plot([number**2 for number in numbers], numbers)
    ax.set_xlabel("number")
    ax.set_ylabel("square")
    return ax


def wrong_no_labels(numbers):
    """The line is right, and the labels are missing: set_xlabel and set_ylabel."""
    plt.close("all")
    ax = plt.subplots()[1]
    ax.plot(numbers, [number**2 for number in numbers])
    return ax
