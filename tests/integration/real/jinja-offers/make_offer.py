from offers.data import Company, Customer, Item
from offers.render import render_offer

if __name__ == "__main__":
    print(render_offer(Company("Hinterholz", "Eva"), Customer("Jo Berg"), [Item("Shelf", 120), Item("Chair", 80.5)]))
