"""What held when the crash happened (STAR, section 4.1): which instruction failed, how, and what the message says about it."""
