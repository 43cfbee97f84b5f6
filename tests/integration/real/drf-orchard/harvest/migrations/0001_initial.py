import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [
        migrations.CreateModel(
            name="Tree",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=60, unique=True)),
                ("sort", models.CharField(max_length=40)),
                ("planted", models.DateField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Pick",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("kilos", models.DecimalField(decimal_places=1, max_digits=6)),
                (
                    "tree",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="picks", to="harvest.tree"),
                ),
            ],
            options={"ordering": ["day"]},
        ),
    ]
