"""Reads Prometheus' text format as strictly as it is written down, and nothing that is not in it."""

import math
import re

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = rf'{NAME}="(?:[^"\\\n]|\\\\|\\"|\\n)*"'
HELP = re.compile(rf"# HELP ({NAME}) (\S.*)")
TYPE = re.compile(rf"# TYPE ({NAME}) (counter|gauge|histogram)")
SAMPLE = re.compile(rf"({NAME})(?:\{{((?:{LABEL})(?:,{LABEL})*)\}})? (\S+)")
ENDINGS = {"counter": ("",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}


class Family:
    def __init__(self, name, help_text):
        self.name, self.help, self.type = name, help_text, None
        self.samples = {}  # (name, labels as sorted pairs) → value

    def value(self, ending="", **labels):
        return self.samples.get((self.name + ending, tuple(sorted(labels.items()))), 0.0)

    def label_names(self):
        return {name for _, labels in self.samples for name, _ in labels} - {"le"}


def parse(text):
    """The families by name; an AssertionError where a line is not as it has to be."""
    assert text.endswith("\n") and "\r" not in text
    families, current = {}, None
    for line in text[:-1].split("\n"):
        if line.startswith("# HELP "):
            match = HELP.fullmatch(line)
            assert match, line
            assert match[1] not in families, f"twice: {line}"
            current = families[match[1]] = Family(*match.groups())
        elif line.startswith("# TYPE "):
            match = TYPE.fullmatch(line)
            assert match and current and match[1] == current.name and current.type is None, line
            current.type = match[2]
        else:
            read_sample(current, line)
    for family in families.values():
        assert family.type, family.name
        if family.type == "histogram":
            check_histogram(family)
    return families


def read_sample(family, line):
    match = SAMPLE.fullmatch(line)
    assert match and family and family.type, line
    name, labels, value = match.groups()
    assert name in [family.name + ending for ending in ENDINGS[family.type]], line
    pairs = re.findall(rf'({NAME})="((?:[^"\\\n]|\\.)*)"', labels or "")
    assert len({pair[0] for pair in pairs}) == len(pairs), line
    key = (name, tuple(sorted(pairs)))
    assert key not in family.samples, f"twice: {line}"
    number = float(value.replace("+Inf", "inf"))
    assert math.isfinite(number), line
    if family.type != "gauge":
        assert number >= 0, line
    family.samples[key] = number


def check_histogram(family):
    series = {}
    for (name, labels), value in family.samples.items():
        if name.endswith("_bucket"):
            bound = dict(labels)["le"]
            others = tuple(pair for pair in labels if pair[0] != "le")
            series.setdefault(others, []).append((float(bound.replace("+Inf", "inf")), value))
    for labels, buckets in series.items():
        buckets.sort()
        counts = [count for _, count in buckets]
        assert counts == sorted(counts), (family.name, labels)
        assert math.isinf(buckets[-1][0]), (family.name, labels)
        assert counts[-1] == family.value("_count", **dict(labels)), (family.name, labels)
        assert (family.name + "_sum", labels) in family.samples, (family.name, labels)
