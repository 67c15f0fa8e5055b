// What a pipeline does, in words.
#include <algorithm>
#include <utility>

#include "world/live_query.hpp"
#include "world/systems.hpp"

namespace kith::core {

namespace {

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%g s", seconds);
  return text;
}

// May it have several rows about one $this?
bool has_many_rows_per_entity(const checked_query& q) {
  const auto is_star = [](const slot_info& s) { return s.is == slot_info::kind::star; };
  return !q.variables.empty() || std::ranges::any_of(q.slots, is_star);
}

}  // namespace

std::string frames::text_of_change(id_t id) const { return id ? text_of(id) : "anything"; }

std::string frames::why(const pipeline_plan& p, const frame_plan::step& step) const {
  using cause = frame_plan::cause;
  const auto name = [&](std::size_t n) { return p.declared[n].name; };
  const std::string& first = name(step.first);
  switch (step.why) {
    case cause::first:
      return "";
    case cause::alone:
      return concat(first, " may change anything, so it runs alone");
    case cause::immediate:
      return concat(first, " changes the world at once, so it runs alone");
    case cause::changes:
      return concat(first, " asks which rows have changed, so it runs alone");
    case cause::order:
      return concat("the rows of ", first, " come in an order of ", text_of(step.id), ", which ",
                    name(step.other), " writes");
    case cause::condition:
      return concat("the condition of ", first, " may look at anything");
    case cause::after_alone:
      return concat(name(step.first - 1), " runs alone");
    case cause::sees:
      return concat(first, " may see what ", name(step.other),
                    " queues: ", text_of_change(step.id));
    case cause::phase:
      return "a phase has ended, and its changes are carried out";
  }
  return "";
}

std::string frames::when_text(const running_system& s) const {
  std::vector<std::string> parts;
  const tick_desc& t = s.tick.desc();
  if (t.seconds > 0) parts.push_back(concat("every ", seconds_text(t.seconds)));
  if (t.rate)
    parts.push_back(concat("every ", std::to_string(t.rate), t.source ? " times" : " frames"));
  if (t.source) parts.push_back(concat("when ", name_of(t.source), " does"));
  if (s.desc.run_if) parts.emplace_back("if its condition holds");
  std::string text;
  for (const std::string& part : parts) text += concat(text.empty() ? "" : ", ", part);
  return text;
}

std::string frames::rows_text(const running_system& s) const {
  if (const obstacle o = keeps_rows_together(s); o.why)
    return concat("threads do not share its rows: ", o.why, o.id ? text_of(o.id) : "");
  return has_many_rows_per_entity(*s.query->prepared.checked())
             ? "threads share its rows, those of one $this together"
             : "threads share its rows";
}

schedule::system frames::describe(const running_system& s, const std::string& phase) const {
  schedule::system text;
  text.name = name_of(s.entity);
  text.phase = phase;
  for (const access::touched& t : s.what.values)
    (t.writes ? text.writes : text.reads).push_back(text_of(t.id));
  if (s.what.queues == access::queue::anything && !s.desc.immediate) text.queues = "anything";
  if (s.what.queues == access::queue::listed)
    for (id_t id : s.what.queued)
      text.queues += concat(text.queues.empty() ? "" : ", ", text_of(id));
  if (s.desc.multi_threaded) text.rows = rows_text(s);
  text.when = when_text(s);
  text.is_immediate = s.desc.immediate;
  return text;
}

// Why two systems cannot change places; empty if they can.
std::string frames::conflict(const access& a, const access& b, const std::string& first,
                             const std::string& second) const {
  if (const auto id = shared_value(a, b)) return concat("both use ", text_of(*id));
  const auto seen = [&](const std::optional<seen_change>& change, const std::string& earlier,
                        const std::string& later) {
    return concat(later, " may see what ", earlier, " queues: ", text_of_change(change->id));
  };
  if (const auto change = seen_by(a, b)) return seen(change, first, second);
  if (const auto change = seen_by(b, a)) return seen(change, second, first);
  return "";
}

schedule frames::describe(entity_t pipeline) {
  const std::shared_ptr<pipeline_plan> p = plan_of(pipeline);
  schedule text;
  const std::size_t count = p->order.size();
  for (std::size_t n = 0; n < count; ++n)
    text.systems.push_back(describe(*p->order[n].system, p->declared[n].phase_name));
  for (const frame_plan::step& s : p->steps.steps)
    text.steps.push_back({s.first, s.count, why(*p, s)});
  for (const frame_plan::edge& e : p->steps.edges)
    text.edges.push_back({e.from, e.to, concat("both use ", text_of(e.id))});

  // By system: those that shall come later.
  std::vector<std::vector<std::size_t>> later(count);
  for (const auto& [a, b] : declared_order(p->declared)) later[a].push_back(b);
  for (std::size_t a = 0; a < count; ++a) {
    std::vector<bool> comes_later(count);
    std::vector<std::size_t> open{a};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (comes_later[at]) continue;
      comes_later[at] = true;
      open.insert(open.end(), later[at].begin(), later[at].end());
    }
    for (std::size_t b = a + 1; b < count && p->order[b].phase == p->order[a].phase; ++b) {
      if (comes_later[b]) continue;
      const std::string& first = text.systems[a].name;
      const std::string& second = text.systems[b].name;
      std::string because =
          conflict(p->order[a].system->what, p->order[b].system->what, first, second);
      if (!because.empty()) text.unordered.push_back({first, second, std::move(because)});
    }
  }
  return text;
}

}  // namespace kith::core
