from rest_framework import serializers

from .models import Pick, Tree


class TreeSerializer(serializers.ModelSerializer):
    class Meta:
        model = Tree
        fields = ["id", "name", "sort", "planted"]


class PickSerializer(serializers.ModelSerializer):
    yield_per_year = serializers.SerializerMethodField()

    class Meta:
        model = Pick
        fields = ["id", "tree", "day", "kilos", "yield_per_year"]

    def get_yield_per_year(self, pick):
        return round(float(pick.per_year), 2)
