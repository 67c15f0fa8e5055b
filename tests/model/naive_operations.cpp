// The operations: which errors they raise at once, what they do at once, what they queue.
#include <algorithm>

#include "model/naive_change.hpp"

namespace kith_model {

using kith::errc;

namespace {

std::vector<number> named_by(number e, const naive_id& id) {
  return id.is_pair() ? std::vector{e, id.first, id.second} : std::vector{e, id.first};
}

}  // namespace

faults naive_world::perform(const std::vector<number>& names, const action& act) {
  if (!is_deferred()) return act(*this);
  queue_.push_back({names, act});
  return {};
}

std::vector<faults> naive_world::defer_end() {
  std::vector<faults> failed;
  if (--depth_ > 0) return failed;
  const std::vector<command> waiting = std::move(queue_);
  queue_.clear();
  unsettled_.clear();
  for (const command& c : waiting) {
    const auto is_alive_now = [&](number e) { return is_alive(e); };
    if (!std::ranges::all_of(c.names, is_alive_now)) continue;
    if (faults wrong = c.act(*this); !wrong.empty()) failed.push_back(wrong);
  }
  return failed;
}

std::size_t naive_world::size_when_done() const {
  naive_world w = *this;
  w.depth_ = 1;
  w.defer_end();
  return w.entities_.size();
}

// --- entities ------------------------------------------------------------------------------------

void naive_world::begin_with(number e, const std::string& name, const std::set<naive_id>& ids) {
  naive_entity& entity = entities_[e];
  entity.name = name;
  entity.place = static_cast<std::uint32_t>(e);
  born_with_[e] = ids;
  for (const naive_id& id : ids) {
    entity.owned[id] = {};
    if (id.first == kith::ChildOf) entity.named_under = id.second;
  }
  if (e == kith::Component) types_[e] = kind::info;
}

number naive_world::make() {
  entities_[next_];
  return next_++;
}

number naive_world::create_id() { return make(); }

faults naive_world::create(std::vector<number>& made) { return create_with({}, made); }

faults naive_world::create_with(const std::vector<initial>& values, std::vector<number>& made) {
  return create_many({values}, made);
}

// Creates all entities or none.
faults naive_world::create_many(const std::vector<std::vector<initial>>& values,
                                std::vector<number>& made) {
  if (scope_ && !is_alive(scope_)) return {errc::not_alive};
  naive_world after = *this;
  std::vector<number> created;
  struct part {
    number e;
    naive_id id;
    std::optional<int> value;
  };
  std::vector<part> parts;
  for (const std::vector<initial>& ids : values) {
    const number e = created.emplace_back(after.make());
    std::map<naive_id, std::optional<int>> wanted_ids;
    for (const initial& i : ids)
      wanted_ids[{registered(i.what)}] = has_data(i.what) ? std::optional(i.value) : std::nullopt;
    if (scope_) wanted_ids[{kith::ChildOf, scope_}] = std::nullopt;
    if (is_deferred()) {
      for (const auto& [id, value] : wanted_ids) parts.push_back({e, id, value});
      continue;
    }
    naive_change c(after);
    for (const auto& [id, value] : wanted_ids) c.include(e, id, {.value = value});
    if (const faults wrong = c.finish(); !wrong.empty()) return wrong;
  }
  // What waits is one change, less what names something that died.
  if (!parts.empty())
    after.perform({}, [parts](naive_world& w) -> faults {
      naive_world whole = w;
      for (const part& p : parts) {
        const auto is_alive_now = [&](number n) { return whole.is_alive(n); };
        if (!std::ranges::all_of(named_by(p.e, p.id), is_alive_now)) continue;
        faults wrong =
            p.value ? whole.set_now(p.e, p.id, p.id.first, *p.value) : whole.add_now(p.e, p.id, {});
        if (!wrong.empty()) return wrong;
      }
      w = std::move(whole);
      return {};
    });
  *this = std::move(after);
  made.insert(made.end(), created.begin(), created.end());
  return {};
}

// A new entity has its name at once, even if adding its parent is queued.
number naive_world::make_path(number start, const path& names, std::vector<number>& made) {
  number here = start;
  for (const std::string& name : names) {
    number next = child_named(here, name);
    if (!next) {
      next = made.emplace_back(make());
      entities_.at(next).name = name;
      entities_.at(next).named_under = here;
      const action join = [=](naive_world& w) {
        const bool both_live = w.is_alive(next) && w.is_alive(here);
        const faults wrong = both_live ? w.add_now(next, {kith::ChildOf, here}, {}) : faults{};
        if (!both_live || !wrong.empty()) w.leave_lost_parent(next);
        return wrong;
      };
      if (here) perform({}, join);
    }
    here = next;
  }
  return here;
}

faults naive_world::create_named(const path& names, bool from_root, number& found,
                                 std::vector<number>& made) {
  if (!from_root && scope_ && !is_alive(scope_)) return {errc::not_alive};
  found = make_path(from_root ? 0 : scope_, names, made);
  return {};
}

faults naive_world::destroy(number e) {
  const faults wrong = dead(e);
  return wrong.empty() ? perform({e}, [=](naive_world& w) { return w.destroy_now(e); }) : wrong;
}

faults naive_world::clear(number e) {
  const faults wrong = dead(e);
  return wrong.empty() ? perform({e}, [=](naive_world& w) { return w.clear_now(e); }) : wrong;
}

faults naive_world::clone(number e, number into, bool with_values, std::vector<number>& made) {
  faults wrong = dead(e) | (into ? dead(into) : faults{});
  if (!wrong.empty()) return wrong;
  const number to = into ? into : make();
  wrong = perform({e, to}, [=](naive_world& w) { return w.clone_now(e, to, with_values); });
  if (into) return wrong;
  if (wrong.empty())
    made.push_back(to);
  else
    entities_.erase(to);
  return wrong;
}

// --- ids and values ------------------------------------------------------------------------------

faults naive_world::add(number e, naive_id id) {
  const faults wrong = dead(e) | unaddable(id);
  return wrong.empty()
             ? perform(named_by(e, id), [=](naive_world& w) { return w.add_now(e, id, {}); })
             : wrong;
}

faults naive_world::remove(number e, naive_id id) {
  const faults wrong = dead(e) | dead(id);
  return wrong.empty()
             ? perform(named_by(e, id), [=](naive_world& w) { return w.remove_now(e, id); })
             : wrong;
}

faults naive_world::enable(number e, naive_id id, bool on) {
  const faults wrong = dead(e) | dead(id);
  return wrong.empty()
             ? perform(named_by(e, id), [=](naive_world& w) { return w.enable_now(e, id, on); })
             : wrong;
}

faults naive_world::set(number e, naive_id id, number type, int value) {
  const faults wrong = dead(e) | unaddable(id) | wrong_type(id, type);
  const number actual = type_of(id);
  return wrong.empty() ? perform(named_by(e, id),
                                 [=](naive_world& w) { return w.set_now(e, id, actual, value); })
                       : wrong;
}

bool naive_world::ensure_is_certain(number e, naive_id id, number type) const {
  if (queue_.empty()) return true;
  bool all_succeed = true;
  const auto flushed = [&](naive_world w) {
    w.depth_ = 1;
    all_succeed = w.defer_end().empty();
    return w;
  };
  naive_world after = flushed(*this);
  if (!all_succeed || !is_alive(e) || !after.is_alive(e)) return false;
  // Queued changes may change inherited values and pairs of Symmetric relations.
  const auto depends_on_others = [&](const naive_world& w) {
    return !w.bases(e).empty() || w.has_trait(id.first, kith::Symmetric);
  };
  if (depends_on_others(*this) || depends_on_others(after)) return false;
  if (id.is_pair() && is_exclusive(id.first) != after.is_exclusive(id.first)) return false;
  if (!after.ensure_now(e, id, type, 0).empty()) return false;
  if (!owns(e, id)) return true;
  naive_world written = *this;
  written.write(e, id, *at(e).owned.at(id).value + 1);
  written = flushed(written);
  written.ensure_now(e, id, type, 0);
  written.write(e, id, *after.at(e).owned.at(id).value);
  return written.entities_ == after.entities_;
}

faults naive_world::ensure(number e, naive_id id, number type, int more) {
  faults wrong = dead(e) | unaddable(id) | wrong_type(id, type);
  if (!wrong.empty()) return wrong;
  const bool owned = owns(e, id);
  if (!is_deferred()) return ensure_now(e, id, type, more);
  // An owned value is written at once.
  if (owned && queue_.empty()) {
    write(e, id, *at(e).owned.at(id).value + more);
    return {};
  }
  if (queue_.empty()) {
    const kind k = *kind_of(id);
    if (owner(e, id) ? !can_copy(k) : !has_default(k)) return {errc::type};
    const int value = first_value(e, id) + more;
    return perform(named_by(e, id), [=](naive_world& w) { return w.set_now(e, id, type, value); });
  }
  if (owned) unsettled_.insert({e, id});
  return perform(named_by(e, id), [=](naive_world& w) { return w.ensure_now(e, id, type, more); });
}

void naive_world::write(number e, naive_id id, int value) {
  entities_.at(e).owned.at(id).value = value;
}

faults naive_world::remove_all(naive_id id) {
  const faults wrong = dead(id);
  return wrong.empty()
             ? perform(named_by(id.first, id), [=](naive_world& w) { return w.remove_all_now(id); })
             : wrong;
}

faults naive_world::delete_with(naive_id id) {
  const faults wrong = dead(id);
  return wrong.empty() ? perform(named_by(id.first, id),
                                 [=](naive_world& w) { return w.delete_with_now(id); })
                       : wrong;
}

faults naive_world::set_child_order(number e, const std::vector<number>& children) {
  faults wrong = dead(e);
  for (number child : children)
    if (wrong.empty()) wrong = dead(child);
  if (!wrong.empty()) return wrong;
  std::vector<number> names = children;
  names.push_back(e);
  return perform(names, [=](naive_world& w) { return w.set_child_order_now(e, children); });
}

faults naive_world::set_child_order_now(number e, const std::vector<number>& children) {
  const faults wrong = dead(e);
  if (!wrong.empty()) return wrong;
  const std::vector<number> now = this->children(e);
  const bool same = std::is_permutation(now.begin(), now.end(), children.begin(), children.end());
  if (!has_trait(e, kith::OrderedChildren) || !same) return {errc::constraint};
  entities_.at(e).order = children;
  return {};
}

// --- names, scopes, types ------------------------------------------------------------------------

faults naive_world::set_name(number e, const std::string& name) {
  const faults wrong = dead(e);
  return wrong.empty() ? perform({e}, [=](naive_world& w) { return w.set_name_now(e, name); })
                       : wrong;
}

faults naive_world::set_scope(number e) {
  const faults wrong = !e ? faults{} : is_wildcard(e) ? faults{errc::constraint} : dead(e);
  if (wrong.empty()) scope_ = e;
  return wrong;
}

bool naive_world::registering_is_certain(number start, const path& names) const {
  if (!is_deferred()) return true;
  const number existing = below(start, names);
  return !existing || types_.contains(existing);
}

faults naive_world::register_type(kind k, std::vector<number>& made) {
  if (registered(k)) return {};
  path names{"zoo", std::string(name_of(k))};
  number existing = below(0, names);
  const auto stands_for_something = [&](number e) {
    for (const auto& [other, entity] : registered_)
      if (entity == e) return true;
    return types_.contains(e);
  };
  if (existing && stands_for_something(existing)) {
    names = {"zoo::" + std::string(name_of(k))};
    existing = below(0, names);
  }
  if (existing && has_data(k))
    if (const faults wrong = untypable(existing); !wrong.empty()) return wrong;
  const number e = make_path(0, names, made);
  registered_[k] = e;
  if (!has_data(k)) return {};
  give_type(e, k);
  return {};
}

faults naive_world::runtime_component(kind k, const std::string& name, number& found,
                                      std::vector<number>& made) {
  if (scope_ && !is_alive(scope_)) return {errc::not_alive};
  if (!name.empty()) {
    const number existing = below(scope_, {name});
    if (auto known = types_.find(existing); known != types_.end()) {
      found = existing;
      return known->second == k ? faults{} : faults{errc::type};
    }
    if (existing)
      if (const faults wrong = untypable(existing); !wrong.empty()) return wrong;
    found = make_path(scope_, {name}, made);
  } else {
    create(made);
    found = made.back();
  }
  give_type(found, k);
  return {};
}

// The type is known at once, even if the ids that the entity gets for it are queued.
void naive_world::give_type(number e, kind k) {
  types_[e] = k;
  perform({e}, [=](naive_world& w) {
    w.entities_.at(e).owned[{kith::Component}] = {0, false};
    return faults{};
  });
  perform({e}, [=](naive_world& w) { return w.add_now(e, {kith::Final}, {}); });
}

}  // namespace kith_model
