"""How much of a parser do ten thousand texts reach that all begin with "a"?"""
