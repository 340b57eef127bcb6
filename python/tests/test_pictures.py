"""Pictures of readings."""

import pytest

import posterity

TABLE = {"column": ["ward", "cured"], "categories": [["A", "B"], ["yes", "no"]]}


@pytest.fixture
def release(tmp_path):
    path = tmp_path / "visits.csv"
    path.write_text("ward,cured\n" + "A,yes\n" * 30 + "A,no\n" * 10 + "B,yes\n" * 5 + "B,no\n" * 25)
    return posterity.release(str(path), **TABLE, epsilon=1, seed=1)


def test_every_kind_is_drawn(release):
    drawn = {kind: release.picture("cured | ward", kind).svg for kind in ("heat", "forest", "mosaic")}
    assert len(set(drawn.values())) == 3
    for svg in drawn.values():
        assert svg.startswith("<svg") and "cured by ward" in svg and "NOT PRIVATE" in svg
    assert release.picture("cured | ward").svg == drawn["forest"]
    assert release.picture("ward, cured").svg == release.picture("ward, cured", "heat").svg
    assert "90 % confidence interval" in release.picture("cured | ward", level=0.9).svg


def test_pictures_are_saved_and_shown(release, tmp_path):
    picture = release.picture("cured | ward")
    picture.save(tmp_path / "a.svg")
    picture.save(str(tmp_path / "a.PNG"))
    with pytest.raises(posterity.ArgumentError, match=r"^path: .*exists.*force=True"):
        picture.save(tmp_path / "a.svg")
    picture.save(tmp_path / "a.svg", force=True)
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == picture.svg
    assert (tmp_path / "a.PNG").read_bytes().startswith(b"\x89PNG")
    assert "<svg style=" in picture._repr_html_() and "<Picture" in repr(picture)


@pytest.mark.parametrize(
    ("reading", "kind", "words"),
    [
        ("cured | ward", "pie", "kind: \"pie\" is none of heat, forest, mosaic"),
        ("mean(ward)", "mosaic", "reading"),
        ("cured |", "heat", "reading"),
        ("cured | nowhere", None, "reading"),
        (7, None, "reading: this is not text"),
    ],
)
def test_rejects(release, reading, kind, words):
    with pytest.raises(posterity.ArgumentError, match=words):
        release.picture(reading, kind)


def test_other_formats_are_refused(release, tmp_path):
    with pytest.raises(posterity.ArgumentError, match="end it in .svg or .png"):
        release.picture("cured").save(tmp_path / "a.jpg")
    assert not (tmp_path / "a.jpg").exists()
