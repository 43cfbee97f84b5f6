"""The frozen nouns that both wings share. Standard library only."""
