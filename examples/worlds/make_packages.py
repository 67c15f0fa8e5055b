#!/usr/bin/env python3
"""Prints packages.facts: a distribution of made-up packages that depend on each other.

    examples/worlds/make_packages.py > examples/worlds/packages.facts

The same every time: the seed is fixed.
"""

import random

LAYERS = [("core", 6), ("system", 40), ("library", 220), ("framework", 120), ("application", 300)]
WORDS = "arc bit cab dry elm fog gem hop ink jet kit lux map net oak pin qux rod sun tap urn vim wax yak zip".split()
LICENCES = ["MIT", "GPL", "BSD", "Apache"]
MAINTAINERS = ["ana", "bo", "chen", "dora", "eli", "fay", "gus"]

HEADER = """\
// Packages and what they need, made by make_packages.py: a graph of some size.
//
//   library, (License, GPL)                                 {gpl}
//   DependsOn($what, glibc), application($what)             {apps}
//   application, (Requires, $lib), framework($lib), (Maintainer, $m), Maintainer($lib, $m)  {own}
//   DependsOn(glibc, glibc)                                 false
//   core, !(Requires, _)                                    1
Transitive(DependsOn)
IsA(Requires, DependsOn)      // what is required directly is depended on, and so on down
"""


def make(rng):
    names, packages = set(), []
    for layer, count in LAYERS:
        for n in range(count):
            if layer == "core" and n == 0:
                name = "glibc"
            else:
                name = rng.choice(WORDS) + rng.choice(WORDS)
                while name in names:
                    name += rng.choice("0123456789")
            names.add(name)
            packages.append((name, layer))
    return packages


def requirements(rng, packages):
    """What each package requires: earlier ones, so there is no cycle; all but the first reach glibc."""
    required = {}
    for i, (name, layer) in enumerate(packages):
        count = min(i, rng.randint(1, 4 if layer != "core" else 2))
        required[name] = sorted(rng.sample(range(i), count)) if count else []
    return {name: [packages[j][0] for j in found] for name, found in required.items()}


def main():
    rng = random.Random(7)
    packages = make(rng)
    required = requirements(rng, packages)
    licence = {name: rng.choice(LICENCES) for name, _ in packages}
    keeper = {name: rng.choice(MAINTAINERS) for name, _ in packages}
    layer_of = dict(packages)

    def kept_together(layer, other):
        return sum(layer_of[r] == other and keeper[r] == keeper[name]
                   for name, own in packages if own == layer for r in required[name])

    print(HEADER.format(
        gpl=sum(layer == "library" and licence[name] == "GPL" for name, layer in packages),
        apps=sum(layer == "application" for _, layer in packages),
        own=kept_together("application", "framework")))
    for name, layer in packages:
        print(f"{layer}({name}), License({name}, {licence[name]}), Maintainer({name}, {keeper[name]})")
        for other in required[name]:
            print(f"Requires({name}, {other})")


main()
