#include "oracle/script.hpp"

#include <stdexcept>

#include "oracle/stamps.hpp"
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

// The words before a fact, and before a name alone.
constexpr std::pair<std::string_view, step::kind> words_of_facts[] = {
    {"off", step::kind::off},
    {"on", step::kind::on},
    {"set", step::kind::set},
    {"write", step::kind::write},
    {"touch", step::kind::touch},
    {"ensure", step::kind::ensure},
    {"clone", step::kind::clone},
    {"with", step::kind::with},
    {"bulk", step::kind::bulk},
    {"remove_all", step::kind::remove_all},
    {"delete_with", step::kind::delete_with}};
constexpr std::pair<std::string_view, step::kind> words_of_names[] = {
    {"struct", step::kind::component}, {"delete", step::kind::destroy},
    {"pools", step::kind::pools},      {"tables", step::kind::tables},
    {"clear", step::kind::clear},      {"rename", step::kind::rename}};

step read_step(std::string text) {
  for (const auto& [word, k] : words_of_names)
    if (takes_word(text, word)) return {k, text, "", ""};
  step::kind is = step::kind::add;
  for (const auto& [word, k] : words_of_facts)
    if (is == step::kind::add && takes_word(text, word)) is = k;
  const bool removed = text.starts_with('!');
  step s = read_fact(removed ? text.substr(1) : text);
  if (is != step::kind::add) s.is = is;
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
  for (const auto& [word, k] : words_of_names)
    if (k == s.is) return std::string(word) + " " + s.subject;
  for (const auto& [word, k] : words_of_facts)
    if (k == s.is) return std::string(word) + " " + fact;
  if (s.is == step::kind::make) return s.subject;
  return (s.is == step::kind::remove ? "!" : "") + fact;
}

std::string to_text(const script& s) {
  std::string text;
  for (const step& each : s) text += to_text(each) + "\n";
  return text;
}

kith::entity world_builder::find(const std::string& name) const {
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
    carry_out(s);
    return true;
  } catch (const kith::error& problem) {
    refusal_ = problem.what();
    return false;
  }
}

void world_builder::carry_out(const step& s) {
  switch (s.is) {
    case step::kind::component:
      if (!find(s.subject)) {
        known_[s.subject] = world_.component(stamped_component(s.subject));
        world_.engine().add_member(
            known_[s.subject].id(),
            {"number", kith::member_kind::i32, offsetof(stamped, number), sizeof(stamped::number)});
      }
      break;
    case step::kind::make:
      entity(s.subject);
      break;
    case step::kind::clear:
      entity(s.subject).clear();
      break;
    case step::kind::clone:
      known_[s.first] = entity(s.subject).clone(true, find(s.first));
      break;
    case step::kind::with:
    case step::kind::bulk:
      make_many(s);
      break;
    case step::kind::remove_all:
      world_.remove_all(kith::id(&world_.engine(), id_of(s)));
      break;
    case step::kind::delete_with:
      world_.delete_with(kith::id(&world_.engine(), id_of(s)));
      break;
    case step::kind::rename:
      entity(s.subject).set_name(entity(s.subject).name() == s.subject ? s.subject + "2"
                                                                       : s.subject);
      break;
    case step::kind::destroy:
      if (const kith::entity e = find(s.subject)) e.destruct();
      break;
    case step::kind::pools:
    case step::kind::tables:
      if (const kith::entity e = find(s.subject)) keep(e, s.is == step::kind::pools);
      break;
    default:
      change_id(s);
  }
}

// Changes one id of one entity.
void world_builder::change_id(const step& s) {
  const kith::entity e = entity(s.subject);
  const kith::id_t raw = id_of(s);
  const kith::id id(&world_.engine(), raw);
  switch (s.is) {
    case step::kind::add:
      e.add(id);
      break;
    case step::kind::remove:
      e.remove(id);
      break;
    case step::kind::off:
    case step::kind::on:
      world_.engine().set_enabled(e.id(), raw, s.is == step::kind::on);
      break;
    case step::kind::set:
      world_.engine().set(e.id(), raw, world_.engine().type_of(raw), given_value());
      break;
    case step::kind::write:
      e.modified(id);
      break;
    case step::kind::touch:
      if (void* const value = e.get_mut(id)) ++static_cast<stamped*>(value)->noise;
      break;
    default:
      e.ensure(id);
  }
}

// The two ids of `with Position(bob, A)` and `bulk Position(bob, A)`.
void world_builder::make_many(const step& s) {
  kith::core::engine& engine = world_.engine();
  std::vector<kith::id_t> ids{entity(s.first).id()};
  if (!s.second.empty()) ids.push_back(entity(s.second).id());
  if (s.is == step::kind::with) {
    std::vector<kith::core::new_id> given;
    for (const kith::id_t id : ids)
      given.push_back({id, engine.type_of(id) ? given_value() : kith::core::value_source{}});
    known_[s.subject] = {&engine, engine.create_with(given)};
    return;
  }
  std::vector<kith::core::bulk_id> given;
  for (const kith::id_t id : ids) {
    given.push_back({.id = id});
    if (engine.type_of(id))
      given.back().construct = [](void* slots, std::size_t, std::size_t count, std::size_t& done,
                                  void*) {
        const kith::core::value_source source = given_value();
        for (; done < count; ++done)
          source.construct(static_cast<stamped*>(slots) + done, source.context);
      };
  }
  known_[s.subject] = {&engine, engine.create_many(3, given).back()};
}

}  // namespace kith_oracle
