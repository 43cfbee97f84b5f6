"""Control flow: graphs, dominators, control dependence, basic blocks, definite assignment."""
