// Plans as text.
#include <cmath>

#include <kith/detail/error.hpp>

#include "base/deep_call.hpp"
#include "query/plan/plan.hpp"

namespace kith::core {

namespace {

class writer {
 public:
  writer(const checked_query& q, const entity_namer& names) : q_(q), names_(names) {}

  std::string slot(slot_index s) const {
    const slot_info& info = q_.slots[s];
    if (info.is == slot_info::kind::star) return concat("*", std::to_string(s));
    if (info.is == slot_info::kind::all) return concat("all", std::to_string(s));
    return info.name.empty() ? concat("$", std::to_string(s)) : concat("$", info.name);
  }

  std::string ref(const checked_ref& r) const {
    std::string text;
    switch (r.is) {
      case checked_ref::kind::none:
        break;
      case checked_ref::kind::fixed:
        text = names_.name_of(r.entity);
        break;
      case checked_ref::kind::slot:
        text = slot(r.slot);
        for (const std::string& name : r.lookup) text += concat(".", name);
        break;
      case checked_ref::kind::star:
        text = "*";
        break;
      case checked_ref::kind::any:
        text = "_";
        break;
    }
    if (!r.flagged) return text;
    std::string flags;
    const auto add = [&](std::string_view flag) {
      if (!flags.empty()) flags += "|";
      flags += flag;
    };
    if (r.self) add("self");
    if (r.all != no_slot) add("all");
    for (const checked_walk& w : r.walks) {
      std::string way =
          concat(w.direction == walk::way::up ? "up(" : "down(", names_.name_of(w.relation));
      if (w.min != 1) way += concat(", ", std::to_string(w.min));
      if (w.max != walk::no_limit) way += concat(", ", std::to_string(w.max));
      add(way + ")");
    }
    return concat(text, "[", flags, "]");
  }

  std::string term(const checked_term& t) const {
    if (t.is == checked_term::kind::text)
      return concat(ref(t.first), comparison(t), "\"", t.text, "\"");
    if (t.is == checked_term::kind::equality)
      return concat(ref(t.first), comparison(t), ref(t.second));
    std::string text = concat(ref(t.first), "(", ref(t.source));
    if (t.pair) text += concat(", ", ref(t.second));
    text += ")";
    if (t.is != checked_term::kind::list) return text;
    const char* list = t.list_op == core::term::oper::and_from  ? "AND | "
                       : t.list_op == core::term::oper::or_from ? "OR | "
                                                                : "NOT | ";
    return list + text;
  }

 private:
  static const char* comparison(const checked_term& t) {
    switch (t.compare) {
      case core::term::comparison::equal:
        return " == ";
      case core::term::comparison::different:
        return " != ";
      case core::term::comparison::contains:
        return " ~= ";
    }
    return "";
  }

  const checked_query& q_;
  const entity_namer& names_;
};

// What a step does, without its rows and branches.
std::string action(const plan_step& s, const writer& write) {
  switch (s.does) {
    case plan_step::op::bind: {
      std::string text = concat("bind ", write.slot(s.slot), " from ");
      if (s.from.empty()) text += "all entities";
      for (std::size_t i = 0; i < s.from.size(); ++i)
        text += concat(i ? " and " : "", write.term(*s.from[i]));
      return text;
    }
    case plan_step::op::star:
    case plan_step::op::all:
      return concat("each ", write.slot(s.slot), " of ", write.term(*s.term));
    case plan_step::op::test:
      return concat("test ", write.term(*s.term));
    case plan_step::op::filter:
      return concat("filter by ", write.term(*s.term));
    case plan_step::op::absent:
      return "unless";
    case plan_step::op::optional:
      return "optional";
    case plan_step::op::any_of:
      return "any of";
    case plan_step::op::end_optional:
    case plan_step::op::end_alternative:
      return "then";
    case plan_step::op::guess:
      return concat("guess ", write.slot(s.slot));
    case plan_step::op::result:
      return "result";
    case plan_step::op::nothing:
      break;
  }
  return "nothing";
}

// Costs are rough, so two digits tell all there is to know.
std::string cost_text(double cost) {
  if (cost < 100) return std::to_string(std::llround(cost));
  const double unit = std::pow(10, std::floor(std::log10(cost)) - 1);
  return std::to_string(std::llround(std::round(cost / unit) * unit));
}

// Why this step comes first: what the best order costs that begins so, or with another step.
std::string reasons(const plan_step& s, const writer& write) {
  if (!s.considered) return "";
  constexpr std::size_t most = 4;
  const std::vector<order_choice>& others = s.considered->others;
  std::string text = concat("; cost ~", cost_text(s.cost));
  for (std::size_t i = 0; i < others.size() && i < most; ++i)
    text += concat(
        i ? ", " : ", first instead: ", others[i].chain ? "a chain" : write.slot(others[i].slot),
        " ~", cost_text(others[i].cost));
  return text;
}

// The lines of a text, further to the right.
std::string indented(const std::string& lines, std::size_t by) {
  std::string text;
  for (std::size_t from = 0; from < lines.size();) {
    const std::size_t to = lines.find('\n', from) + 1;
    text += std::string(by, ' ') + lines.substr(from, to - from);
    from = to;
  }
  return text;
}

std::string rows(const plan_step& s) {
  if (s.does == plan_step::op::result) return concat("  // ", std::to_string(s.actual), " rows");
  std::string text;
  if (s.estimate > 0) text = concat("~", std::to_string(std::llround(s.estimate)), " rows");
  if (s.actual) text += concat(text.empty() ? "" : ", ", std::to_string(s.actual), " seen");
  return text.empty() ? text : concat("  // ", text);
}

}  // namespace

std::string plan::to_text(const entity_namer& names) {
  const writer write(q_, names);
  std::string text;
  struct place {
    plan_step* step;
    std::size_t depth;
    const char* before;
  };
  // Branches wait their turn; what was never needed is left out.
  std::vector<place> open{{first(), 0, ""}};
  while (!open.empty()) {
    auto [step, depth, before] = open.back();
    open.pop_back();
    for (; step; step = step->next_) {
      text += concat(std::string(depth * 2, ' '), before, action(*step, write), rows(*step),
                     reasons(*step, write), "\n");
      before = "";
      const auto does = step->does;
      if (step->otherwise_) open.push_back({step->otherwise_, depth + 1, "otherwise: "});
      if (does == plan_step::op::optional) open.push_back({body(*step, 0), depth + 1, ""});
      if (does == plan_step::op::any_of)
        for (std::size_t k = body_count(*step); k-- > 0;)
          if (plan_step* alternative = body(*step, k))
            open.push_back({alternative, depth + 1, "or: "});
      if (does == plan_step::op::absent) {
        plan& absent = *step->inner[0];
        text += indented(deep_call([&] { return absent.to_text(names); }), depth * 2 + 2);
      }
      const bool ends = does == plan_step::op::optional || does == plan_step::op::any_of ||
                        does == plan_step::op::result || does == plan_step::op::nothing;
      if (!ends) after(*step);
    }
  }
  return text;
}

}  // namespace kith::core
