from django.db import models


class Tree(models.Model):
    name = models.CharField(max_length=60, unique=True)
    sort = models.CharField(max_length=40)
    planted = models.DateField(null=True, blank=True)

    def age_at(self, day):
        return day.year - self.planted.year


class Pick(models.Model):
    tree = models.ForeignKey(Tree, on_delete=models.CASCADE, related_name="picks")
    day = models.DateField()
    kilos = models.DecimalField(max_digits=6, decimal_places=1)

    class Meta:
        ordering = ["day"]

    @property
    def per_year(self):
        """Kilos for each year that the tree has stood."""
        return self.kilos / max(1, self.tree.age_at(self.day))
