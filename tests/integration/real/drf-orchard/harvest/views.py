from rest_framework import viewsets

from .models import Pick, Tree
from .serializers import PickSerializer, TreeSerializer


class TreeViewSet(viewsets.ModelViewSet):
    queryset = Tree.objects.order_by("name")
    serializer_class = TreeSerializer


class PickViewSet(viewsets.ModelViewSet):
    queryset = Pick.objects.select_related("tree")
    serializer_class = PickSerializer
