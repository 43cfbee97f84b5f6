from tools import create_app

app = create_app()
