"""The posts, as the site shows them."""


def list_posts(posts):
    """Return the published posts, newest first."""
    published = [post for post in posts if post["published"]]
    return sorted(published, key=lambda post: post["date"], reverse=True)
