from django.urls import include, path
from rest_framework.routers import DefaultRouter

from harvest.views import PickViewSet, TreeViewSet

router = DefaultRouter()
router.register("trees", TreeViewSet)
router.register("picks", PickViewSet)

urlpatterns = [path("api/", include(router.urls))]
