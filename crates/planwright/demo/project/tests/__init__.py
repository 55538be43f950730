"""Posts for the tests: 45 published ones and a draft."""

POSTS = [
    {"title": f"Post {number}", "date": f"2026-{1 + number // 28:02}-{1 + number % 28:02}", "published": True}
    for number in range(45)
] + [{"title": "A draft", "date": "2026-12-01", "published": False}]
