#include "oracle/script.hpp"

#include <stdexcept>

#include "world/engine_state.hpp"

namespace kith_oracle {

namespace {

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

// The word after `keyword `, or nothing.
bool takes_word(std::string& text, std::string_view keyword) {
  if (!text.starts_with(keyword) || text.size() <= keyword.size() || text[keyword.size()] != ' ')
    return false;
  text = trimmed(std::string_view(text).substr(keyword.size()));
  return true;
}

// `P(s)` or `R(s, t)` or a name alone.
step read_fact(std::string text) {
  step s;
  const auto open = text.find('(');
  if (open == text.npos) {
    s.subject = trimmed(text);
    return s;
  }
  if (!text.ends_with(')')) throw std::runtime_error("no step: " + text);
  s.is = step::kind::add;
  s.first = trimmed(std::string_view(text).substr(0, open));
  const std::string inside = text.substr(open + 1, text.size() - open - 2);
  const auto comma = inside.find(',');
  s.subject = trimmed(std::string_view(inside).substr(0, comma));
  if (comma != inside.npos) s.second = trimmed(std::string_view(inside).substr(comma + 1));
  // "`Game($)` is `Game(Game)`"
  if (s.subject == "$") s.subject = s.first;
  return s;
}

step read_step(std::string text) {
  const auto single = [&](step::kind k) { return step{k, text, "", ""}; };
  if (takes_word(text, "struct")) return single(step::kind::component);
  if (takes_word(text, "delete")) return single(step::kind::destroy);
  if (takes_word(text, "pools")) return single(step::kind::pools);
  if (takes_word(text, "tables")) return single(step::kind::tables);
  const bool off = takes_word(text, "off");
  const bool removed = text.starts_with('!');
  step s = read_fact(removed ? text.substr(1) : text);
  if (off) s.is = step::kind::off;
  if (removed) s.is = step::kind::remove;
  return s;
}

}  // namespace

script read_script(std::string_view text) {
  script result;
  std::string piece;
  int depth = 0;
  const auto flush = [&] {
    const std::string t = trimmed(piece);
    piece.clear();
    if (!t.empty()) result.push_back(read_step(t));
  };
  for (char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth == 0 && (c == ',' || c == ';' || c == '\n'))
      flush();
    else
      piece += c;
  }
  flush();
  return result;
}

std::string to_text(const step& s) {
  const std::string fact =
      s.first + "(" + s.subject + (s.second.empty() ? "" : ", " + s.second) + ")";
  switch (s.is) {
    case step::kind::component:
      return "struct " + s.subject;
    case step::kind::make:
      return s.subject;
    case step::kind::add:
      return fact;
    case step::kind::remove:
      return "!" + fact;
    case step::kind::off:
      return "off " + fact;
    case step::kind::destroy:
      return "delete " + s.subject;
    case step::kind::pools:
      return "pools " + s.subject;
    case step::kind::tables:
      return "tables " + s.subject;
  }
  return "";
}

std::string to_text(const script& s) {
  std::string text;
  for (const step& each : s) text += to_text(each) + "\n";
  return text;
}

kith::entity world_builder::find(const std::string& name) {
  const auto known = known_.find(name);
  if (known != known_.end() && known->second.is_alive()) return known->second;
  return world_.lookup(name);
}

kith::entity world_builder::entity(const std::string& name) {
  kith::entity e = find(name);
  if (!e) e = world_.entity(name);
  known_[name] = e;
  return e;
}

kith::id_t world_builder::id_of(const step& s) {
  const kith::entity first = entity(s.first);
  if (s.second.empty()) return first.id();
  return world_.pair(first, entity(s.second)).raw_id();
}

void world_builder::keep(kith::entity e, bool in_pools) {
  using namespace kith::core;
  store& store = world_.engine().state().store();
  const auto where = in_pools ? id_group::place::pools : id_group::place::tables;
  for (kith::id_t key : {e.id(), make_pair_of(index_of(e.id()), 0)}) {
    id_group& group = store.ids().group_of(key);
    if (!group.pinned) store.place(group, where);
  }
}

bool world_builder::play(const step& s) {
  try {
    switch (s.is) {
      case step::kind::component:
        if (!find(s.subject)) {
          kith::component_desc desc;
          desc.name = s.subject;
          desc.size = sizeof(int);
          desc.alignment = alignof(int);
          known_[s.subject] = world_.component(desc);
        }
        break;
      case step::kind::make:
        entity(s.subject);
        break;
      case step::kind::add:
        entity(s.subject).add(id_of(s));
        break;
      case step::kind::remove:
        entity(s.subject).remove(id_of(s));
        break;
      case step::kind::off:
        world_.engine().set_enabled(entity(s.subject).id(), id_of(s), false);
        break;
      case step::kind::destroy:
        if (const kith::entity e = find(s.subject)) e.destruct();
        break;
      case step::kind::pools:
      case step::kind::tables:
        if (const kith::entity e = find(s.subject)) keep(e, s.is == step::kind::pools);
        break;
    }
    return true;
  } catch (const kith::error& problem) {
    refusal_ = problem.what();
    return false;
  }
}

}  // namespace kith_oracle
