"""The feed: every published post on one page."""

from api.posts import list_posts


def render_feed(posts):
    """Return the feed as text, one line for each post."""
    return "\n".join(f"{post['date']} {post['title']}" for post in list_posts(posts))
