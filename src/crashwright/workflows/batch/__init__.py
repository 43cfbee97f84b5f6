"""The story of ``crashwright batch``: many reports, each crash among them reproduced once, in processes of their own."""
