// A schedule as a page of text, and as a drawing.
#include <algorithm>
#include <ostream>
#include <sstream>

#include <kith/schedule.hpp>

namespace kith {

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : ", ") + w;
  return text;
}

// What a system does, as clauses.
std::vector<std::string> clauses(const schedule::system& s) {
  std::vector<std::string> list;
  if (!s.reads.empty()) list.push_back("reads " + joined(s.reads));
  if (!s.writes.empty()) list.push_back("writes " + joined(s.writes));
  if (s.is_immediate) list.emplace_back("changes the world at once");
  if (!s.queues.empty()) list.push_back("queues changes of " + s.queues);
  if (!s.rows.empty()) list.push_back(s.rows);
  if (!s.when.empty()) list.push_back("runs " + s.when);
  if (list.empty()) list.emplace_back("reads and writes nothing");
  return list;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

std::string schedule::str() const {
  std::ostringstream out;
  out << systems.size() << (systems.size() == 1 ? " system in " : " systems in ") << steps.size()
      << (steps.size() == 1 ? " step\n" : " steps\n");
  std::string phase;
  for (std::size_t n = 0; n < steps.size(); ++n) {
    const step& now = steps[n];
    out << "\nstep " << n + 1;
    if (!now.why.empty()) out << ": " << now.why;
    out << "\n";
    for (std::size_t i = now.first; i < now.first + now.count; ++i) {
      const system& s = systems[i];
      if (s.phase != phase || i == now.first)
        out << "  " << (s.phase.empty() ? "(no phase)" : s.phase) << "\n";
      phase = s.phase;
      out << "    " << s.name << ": ";
      const std::vector<std::string> does = clauses(s);
      for (std::size_t c = 0; c < does.size(); ++c) out << (c ? "; " : "") << does[c];
      out << "\n";
      for (const edge& e : edges)
        if (e.to == i) out << "      waits for " << systems[e.from].name << ": " << e.why << "\n";
    }
  }
  if (!unordered.empty()) {
    out << "\norder by nothing but creation\n";
    for (const ambiguity& a : unordered) out << "  " << a << "\n";
  }
  return out.str();
}

std::string schedule::dot() const {
  std::ostringstream out;
  out << "digraph schedule {\n  rankdir=LR;\n  compound=true;\n"
         "  node [shape=box, fontname=\"sans-serif\"];\n";
  for (std::size_t n = 0; n < steps.size(); ++n) {
    out << "  subgraph cluster_" << n << " {\n    label="
        << quoted("step " + std::to_string(n + 1) +
                  (steps[n].why.empty() ? "" : "\n" + steps[n].why))
        << ";\n    style=rounded;\n";
    for (std::size_t i = steps[n].first; i < steps[n].first + steps[n].count; ++i) {
      std::string label = systems[i].name;
      for (const std::string& clause : clauses(systems[i])) label += "\n" + clause;
      out << "    s" << i << " [label=" << quoted(label) << "];\n";
    }
    out << "  }\n";
    if (n)
      out << "  s" << steps[n].first - 1 << " -> s" << steps[n].first << " [ltail=cluster_" << n - 1
          << ", lhead=cluster_" << n << ", style=bold];\n";
  }
  for (const edge& e : edges)
    out << "  s" << e.from << " -> s" << e.to << " [label=" << quoted(e.why) << "];\n";
  out << "}\n";
  return out.str();
}

std::ostream& operator<<(std::ostream& out, const schedule& s) { return out << s.str(); }

std::ostream& operator<<(std::ostream& out, const schedule::ambiguity& a) {
  return out << a.first << ", " << a.second << ": " << a.why;
}

}  // namespace kith
