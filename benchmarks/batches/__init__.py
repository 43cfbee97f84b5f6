"""A batch over a whole pack of crashes, killed on the way: is every answer there, once, and the one that each crash has alone?"""
