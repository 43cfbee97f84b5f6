"""Mails are made of articles here."""

from collections import defaultdict

WORDS_PER_MINUTE = 220


def by_section(articles):
    sections = defaultdict(list)
    for article in articles:
        sections[article.section].append(article)
    return sections


def reading_time(articles):
    return sum(article.words for article in articles) / WORDS_PER_MINUTE


def mean_length(articles):
    return sum(article.words for article in articles) / len(articles)


def compose(name, articles, sections):
    grouped = by_section(articles)
    lines = [f"Good morning, {name}"]
    for section in sections:
        chosen = grouped[section]
        lines.append(f"{section}: {len(chosen)} articles, {mean_length(chosen):.0f} words each")
        lines.extend(f"  - {article.title}" for article in chosen)
    lines.append(f"{reading_time(articles):.0f} minutes in all")
    return "\n".join(lines)
