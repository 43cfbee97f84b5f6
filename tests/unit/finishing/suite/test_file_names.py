"""File names of the modules of a package."""

from __future__ import annotations

from crashwright.finishing.suite.file_names import suite_file_names


def test_module_goes_by_its_last_part() -> None:
    assert suite_file_names(["shop.stock"]) == {"shop.stock": "test_stock.py"}
    assert suite_file_names(["shop"]) == {"shop": "test_shop.py"}


def test_modules_of_one_name_take_parts_of_their_packages() -> None:
    assert suite_file_names(["shop.stock.model", "shop.sales.model", "shop.text"]) == {
        "shop.stock.model": "test_stock_model.py",
        "shop.sales.model": "test_sales_model.py",
        "shop.text": "test_text.py",
    }


def test_names_that_look_alike_are_numbered() -> None:
    assert sorted(suite_file_names(["shop._text", "shop.text"]).values()) == ["test_shop_text.py", "test_shop_text_2.py"]
