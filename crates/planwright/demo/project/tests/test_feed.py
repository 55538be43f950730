"""The caller that was there first: the feed shows every post."""

import unittest

from tests import POSTS
from web.feed import render_feed


class Feed(unittest.TestCase):
    def test_shows_every_published_post_newest_first(self):
        lines = render_feed(POSTS).splitlines()
        self.assertEqual(len(lines), 45)
        self.assertEqual(lines[0], "2026-02-17 Post 44")
        self.assertEqual(lines[-1], "2026-01-01 Post 0")


if __name__ == "__main__":
    unittest.main()
