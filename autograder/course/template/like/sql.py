# %% [markdown]
# # Queries
#
# A shop keeps its products in a table `products` with the columns `name`, `price` and `stock`. In this
# notebook you write queries as text; the check runs them on small databases.

# %% role="setup"
import sqlite3

from kqa_core.check import check, hint, progress, solution

# %% [markdown]
# To try a query, make a database of your own:

# %%
shop = sqlite3.connect(":memory:")
shop.execute("CREATE TABLE products (name TEXT, price REAL, stock INTEGER)")
shop.executemany(
    "INSERT INTO products VALUES (?, ?, ?)", [("pen", 2.5, 10), ("ink", 9.0, 0), ("cap", 4.0, 3)]
)
shop.execute("SELECT name FROM products WHERE price < 5").fetchall()

# %% [markdown] exercise="in_stock" role="statement" points=2 title="What can be sold" minutes=5 difficulty=1
# Return a query that gives the names of all products of which at least one is in stock, the cheapest first.
#
# Hint: Which two columns does the question ask about, beside the name?
#
# Hint: `WHERE` chooses the rows, `ORDER BY` puts them in order.
#
# Hint: The order is that of `price`, which need not be among the columns that you select.


# %% exercise="in_stock" role="solution"
def in_stock():
    """The text of a query on the table products."""
    return "SELECT name FROM products WHERE stock > 0 ORDER BY price"


# %% exercise="in_stock" role="visible"
# The text comes from a student, so it is never run here: `Build` makes the database where the student's code
# runs, in the sandbox, and `answer.method` calls `rows` there.
class Shop:
    """A database in memory, with these products."""

    def __init__(self, products):
        import sqlite3

        self.database = sqlite3.connect(":memory:")
        self.database.execute("CREATE TABLE products (name TEXT, price REAL, stock INTEGER)")
        self.database.executemany("INSERT INTO products VALUES (?, ?, ?)", products)

    def rows(self, query):
        """What the query gives."""
        return [list(row) for row in self.database.execute(query)]


PRODUCTS = [("pen", 2.5, 10), ("ink", 9.0, 0), ("cap", 4.0, 3), ("pad", 3.0, 1)]


def values(answer, query, products=PRODUCTS):
    """What an answer's query gives on these products."""
    expect(isinstance(query, str), "return the query as text, between quotes")
    return answer.method(Build("course_exercises.in_stock:Shop", (products,)), "rows", query)


def check(answer, rng):
    """On a shop of four products."""
    rows = values(answer, answer())
    expect(all(len(row) == 1 for row in rows), "select one column, the name")
    expect(["ink"] not in rows, "ink is not in stock, and your query gives it")
    expect(
        rows == [["pen"], ["pad"], ["cap"]], f"expected pen, pad, cap in this order; your query gives {rows}"
    )
    return right("your query gives what can be sold, the cheapest first")


# %% exercise="in_stock" role="key"
def hidden(answer, rng):
    """On a shop with other products."""
    products = [(f"p{number}", rng.randint(1, 99) + number / 100, rng.randint(0, 3)) for number in range(12)]
    wanted = [[name] for name, price, stock in sorted(products, key=lambda row: row[1]) if stock > 0]
    rows = values(answer, answer(), products)
    expect(rows == wanted, f"in a shop with other products, your query gives {rows} in place of {wanted}")
    return right()


def inputs(rng):
    """One call, without arguments. What its query gives is compared with what the wrong answers' give."""
    return [()]


def right_with_another_condition():
    return "select p.name from products as p where not p.stock = 0 order by p.price asc"


def wrong_the_dearest_first():
    """Your query gives the dearest first: ORDER BY … DESC counts downwards."""
    return "SELECT name FROM products WHERE stock > 0 ORDER BY price DESC"


def wrong_all_products():
    """Your query gives all products. Keep those whose stock is larger than 0."""
    return "SELECT name FROM products ORDER BY price"
