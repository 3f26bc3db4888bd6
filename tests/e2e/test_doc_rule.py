"""The tests of pages can fail: the rule by which output is compared, and what is read from a page."""

import pytest
from doc_likeness import difference
from doc_pages import anchors_of, blocks_of
from doc_shell import PageShell, commands_and_output

ID, OTHER_ID = "01a1dd2e-c26e-7506-ab6a-956cc5fd96e6", "11111111-2222-3333-4444-555555555555"


@pytest.mark.parametrize(
    "shown,said",
    [
        (f'{{"id": "{ID}", "byte_size": 5}}', f'{{"byte_size": 77, "id": "{OTHER_ID}"}}'),
        ('{"at": "2026-01-01T00:00:00Z", "…": "…"}', '{"at": "2027-02-03T04:05:06.789Z", "more": [1]}'),
        ('["a", "…"]', '["a", "b", "c"]'),
        ('{"error": "no … there"}', '{"error": "no such file there"}'),
        ("key tsr_…  of\n…\nlast", "key tsr_abcdefghijklmnopqrstuvwxyz0123456789ABCD of\none\ntwo\nlast"),
        ("took 12 ms, 4.5 kB\n", "took 12 ms, 4.5 kB\n"),
        ("out 12.5 KiB", "out 9 KiB"),
        ("x?expires=…&sig=…", "x?expires=123&sig=" + "0a" * 32),
    ],
)
def test_what_is_of_the_same_kind_is_alike(shown, said):
    assert difference(shown, said) is None


@pytest.mark.parametrize(
    "shown,said",
    [
        ('{"a": 1}', '{"a": 1, "b": 2}'),
        ('{"a": 1, "b": 2}', '{"a": 1}'),
        ('{"width": 5}', '{"width": 6}'),
        ('{"a": 1}', '{"a": true}'),
        ('["a"]', '["a", "b"]'),
        (f'{{"id": "{ID}"}}', '{"id": "none"}'),
        ('{"a": 1}', "not json"),
        ("one\ntwo", "one"),
        ("one", "one\ntwo"),
        ("status 200", "status 404"),
    ],
)
def test_what_is_not_is_told(shown, said):
    assert difference(shown, said)


def test_a_command_that_fails_in_the_middle_fails_its_block(folder):
    (folder / "scripts").mkdir()
    shell = PageShell(folder, folder / "scripts", {"PATH": "/usr/bin:/bin"})
    try:
        assert shell.run("alias say='echo well'\nNAME=me\n") == ("", "")
        assert shell.run("say $NAME\n") == ("well me\n", "")
        assert shell.run("false\n", must_succeed=False) == ("", "")
        with pytest.raises(AssertionError, match="no such thing"):
            shell.run("echo begun\nsh -c 'echo no such thing; exit 3' | cat\necho never\n")
    finally:
        shell.close()


def test_console_blocks_are_taken_apart():
    assert commands_and_output("$ one \\\n> two\nshown\n$ three\n") == [["one \\\ntwo\n", "shown\n"], ["three\n", ""]]


def test_pages_have_blocks_and_anchors():
    assert {"sh", "toml", "console"} <= {block.language for block in blocks_of("docs/administration.md")}
    assert "backup-and-restore" in anchors_of("docs/cluster.md") and "data" in anchors_of("docs/configuration.md")
