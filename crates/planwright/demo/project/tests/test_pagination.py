"""Pagination, as it is wanted: fails until it is built."""

import unittest

from api.posts import list_posts
from tests import POSTS
from web import feed


class Pagination(unittest.TestCase):
    def test_a_page_holds_page_size_posts(self):
        self.assertEqual([post["title"] for post in list_posts(POSTS, page=2, page_size=2)], ["Post 42", "Post 41"])

    def test_the_last_page_holds_the_rest(self):
        self.assertEqual(len(list_posts(POSTS, page=3, page_size=20)), 5)
        self.assertEqual(list_posts(POSTS, page=4, page_size=20), [])

    def test_without_a_page_size_every_post_comes(self):
        self.assertEqual(len(list_posts(POSTS)), 45)

    def test_the_feed_can_show_one_page(self):
        self.assertEqual(len(feed.render_page(POSTS, 1).splitlines()), 20)
        self.assertEqual(len(feed.render_page(POSTS, 3).splitlines()), 5)


if __name__ == "__main__":
    unittest.main()
