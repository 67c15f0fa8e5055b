"""Makes facts of Debian's package index and of WordNet.

A `Facts` has tags (name -> entities) and relations (name -> pairs of entities), in the order of the
source, each fact once. `as_text` writes them in the language of facts; the tables of SQL are filled
from the same lists.
"""
import re

# Field of the index -> relation. All of them name other packages.
PACKAGE_RELATIONS = {
    "Depends": "Depends", "Pre-Depends": "PreDepends", "Recommends": "Recommends",
    "Suggests": "Suggests", "Enhances": "Enhances", "Conflicts": "Conflicts", "Breaks": "Breaks",
    "Replaces": "Replaces", "Provides": "Provides",
}
# Field of the index -> relation and the prefix of the entities that it names.
PACKAGE_ATTRIBUTES = {
    "Section": ("Section", "section:"), "Priority": ("Priority", "priority:"),
    "Architecture": ("Arch", "arch:"), "Maintainer": ("Maintainer", "by:"),
}

WORDNET_FILES = {"noun": "Noun", "verb": "Verb", "adj": "Adjective", "adv": "Adverb"}
# Symbol of a pointer -> relation. The inverse pointers of a file are left out.
WORDNET_POINTERS = {
    "@": "Hypernym", "@i": "InstanceOf", "#m": "MemberOf", "#p": "PartOf", "#s": "SubstanceOf",
    "!": "Antonym", "&": "SimilarTo", "^": "AlsoSee", "+": "Derived", "\\": "Pertains",
    "=": "Attribute", "*": "Entails", ">": "Causes", "$": "VerbGroup", ";c": "Topic",
    ";r": "Region", ";u": "Usage",
}
LEXICON_NAMES = (
    "adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute "
    "noun.body noun.cognition noun.communication noun.event noun.feeling noun.food noun.group "
    "noun.location noun.motive noun.object noun.person noun.phenomenon noun.plant "
    "noun.possession noun.process noun.quantity noun.relation noun.shape noun.state "
    "noun.substance noun.time verb.body verb.change verb.cognition verb.communication "
    "verb.competition verb.consumption verb.contact verb.creation verb.emotion verb.motion "
    "verb.perception verb.possession verb.social verb.stative verb.weather adj.ppl").split()


class Facts:
    def __init__(self):
        self.traits = []  # statements that come first
        self.tags = {}
        self.relations = {}
        self.kinds = {}  # kind -> what it is a kind of: tags and relations
        self.symmetric = []

    def tag(self, name, entity):
        self.tags.setdefault(name, {})[entity] = None

    def relate(self, relation, source, target):
        self.relations.setdefault(relation, {})[source, target] = None
        if relation in self.symmetric:
            self.relations[relation][target, source] = None

    def count(self):
        return (sum(map(len, self.tags.values())) + sum(map(len, self.relations.values())))

    def entities(self):
        """Every entity that a fact names, in the order of its first fact."""
        found = {}
        for named in self.tags.values():
            found.update(named)
        for pairs in self.relations.values():
            for pair in pairs:
                found.update(dict.fromkeys(pair))
        return list(found)

    def as_text(self):
        lines = [*self.traits, *(f"IsA({kind}, {of})" for kind, of in self.kinds.items())]
        for name, entities in self.tags.items():
            lines += [f"{name}({quoted(e)})" for e in entities]
        for name, pairs in self.relations.items():
            lines += [f"{name}({quoted(s)}, {quoted(t)})" for s, t in pairs]
        return "\n".join(lines) + "\n"


def quoted(name):
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def paragraphs(lines):
    """The paragraphs of a control file, each as field -> text. A line that begins with a blank
    continues its field."""
    fields, last = {}, None
    for line in lines:
        line = line.rstrip("\n")
        if not line.strip():
            if fields:
                yield fields
            fields, last = {}, None
        elif line[0] in " \t":
            if last:
                fields[last] += " " + line.strip()
        else:
            last, _, text = line.partition(":")
            fields[last] = text.strip()
    if fields:
        yield fields


def packages_named(text):
    """The packages that a field such as Depends names: `a (>= 1) | b [amd64], c:any` -> a b c."""
    found = (re.match(r"[a-z0-9][a-z0-9+.-]*", part.strip()) for part in re.split("[,|]", text))
    return [match[0] for match in found if match]


def package_facts(lines):
    """Facts of the output of `apt-cache dumpavail`. Of several versions of a package the first
    counts."""
    facts = Facts()
    facts.traits = ["Transitive(Needs)"]
    facts.kinds = {"Depends": "Needs", "PreDepends": "Needs"}
    for fields in paragraphs(lines):
        name = fields.get("Package")
        if not name or name in facts.tags.get("Package", {}):
            continue
        facts.tag("Package", name)
        if fields.get("Essential") == "yes":
            facts.tag("Essential", name)
        facts.relate("Source", name, "source:" + fields.get("Source", name).split(" ")[0])
        for field, (relation, prefix) in PACKAGE_ATTRIBUTES.items():
            if field in fields:
                facts.relate(relation, name, prefix + fields[field])
        for field, relation in PACKAGE_RELATIONS.items():
            for other in packages_named(fields.get(field, "")):
                facts.relate(relation, name, other)
        for tag in expand_tags(fields.get("Tag", "")):
            facts.relate("Tagged", name, "tag:" + tag)
    return facts


def expand_tags(text):
    """`role::program, uitoolkit::{gtk,qt}` -> role::program uitoolkit::gtk uitoolkit::qt"""
    found = []
    for tag in re.findall(r"[^,\s{]+(?:\{[^}]*\})?", text):
        head, brace, tail = tag.partition("{")
        found += [head + one.strip() for one in tail[:-1].split(",")] if brace else [tag]
    return found


def parse_synset(line):
    """One line of a `data` file: (offset, number of the lexicon, type, words, pointers, frames).
    A pointer is (symbol, offset, part of speech)."""
    fields = line.partition(" | ")[0].split()
    offset, lexicon, kind = fields[0], int(fields[1]), fields[2]
    at = 4 + 2 * int(fields[3], 16)
    words = [re.sub(r"\([a-z]+\)$", "", word) for word in fields[4:at:2]]
    pointers_end = at + 1 + 4 * int(fields[at])
    pointers = [tuple(fields[i:i + 3]) for i in range(at + 1, pointers_end, 4)]
    frames = [int(fields[i + 1]) for i in range(pointers_end + 1, len(fields), 3)]
    return offset, lexicon, kind, words, pointers, frames


def wordnet_facts(files):
    """Facts of the files of WordNet; `files` is "noun" -> lines, and so on. A synset is called like
    its first word and its place: `dog#n02084071`."""
    facts = Facts()
    facts.traits = ["Transitive(Hypernym)", "Transitive(Within)", "Symmetric(Antonym)",
                    "Symmetric(SimilarTo)"]
    facts.symmetric = ["Antonym", "SimilarTo"]
    facts.kinds = {"MemberOf": "Within", "PartOf": "Within", "SubstanceOf": "Within",
                   **{tag: "Synset" for tag in WORDNET_FILES.values()}}
    synsets, names = [], {}
    for file, tag in WORDNET_FILES.items():
        for line in files[file]:
            if line.startswith("  "):
                continue  # the licence
            found = parse_synset(line)
            letter = "a" if found[2] == "s" else found[2]
            names[letter, found[0]] = f"{found[3][0]}#{letter}{found[0]}"
            synsets.append((tag, names[letter, found[0]], found))
    for tag, name, (_, lexicon, kind, words, pointers, frames) in synsets:
        facts.tag(tag, name)
        if kind == "s":
            facts.tag("Satellite", name)
        facts.relate("Lexicon", name, "lexicon:" + LEXICON_NAMES[lexicon])
        for word in words:
            facts.tag("Word", "word:" + word.lower())
            facts.relate("Means", "word:" + word.lower(), name)
        for symbol, offset, letter in pointers:
            if symbol in WORDNET_POINTERS:
                facts.relate(WORDNET_POINTERS[symbol], name, names[letter, offset])
        for frame in frames:
            facts.relate("Frame", name, f"frame:{frame}")
    return facts
