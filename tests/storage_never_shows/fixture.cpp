#include "storage_never_shows/fixture.hpp"

#include <ostream>
#include <set>

#include "world/engine_state.hpp"

namespace storage_tests {

std::string name_of(storage s) {
  switch (s) {
    case storage::tables:
      return "tables";
    case storage::pools:
      return "pools";
    case storage::fragment:
      return "Fragment";
    case storage::dont_fragment:
      return "DontFragment";
    case storage::sparse:
      return "Sparse";
    case storage::union_:
      return "Union";
    case storage::migrating:
      return "migrating";
  }
  return "";
}

void PrintTo(storage s, std::ostream* out) { *out << name_of(s); }

// --- placement -----------------------------------------------------------------------------------

void placement::keep(kith::entity e) {
  switch (how_) {
    case storage::tables:
      break;
    case storage::pools:
    case storage::migrating:
      kept_.push_back(e);
      break;
    case storage::fragment:
      e.add(kith::Fragment);
      break;
    case storage::dont_fragment:
    case storage::union_:
      e.add(kith::DontFragment);
      break;
    case storage::sparse:
      e.add(kith::Sparse);
      break;
  }
}

void placement::keep_exclusive(kith::entity e) {
  if (how_ == storage::union_) {
    e.add(kith::Union);
    return;
  }
  keep(e);
  e.add(kith::Exclusive);
}

void placement::shake() {
  using namespace kith::core;
  using place = id_group::place;
  if (how_ != storage::pools && how_ != storage::migrating) return;
  engine_state& state = world_.engine().state();
  // A visit holds on to the storage; a plain defer_begin does not.
  if (state.store().busy() || state.main.defer_depth != state.main.begun) return;
  store& store = state.store();
  ++step_;

  std::set<kith::id_t> mine;
  for (kith::entity e : kept_) {
    if (!e.is_alive()) continue;
    mine.insert(e.id());
    mine.insert(make_pair_of(index_of(e.id()), 0));
  }
  if (how_ == storage::pools) {
    for (kith::id_t key : mine) store.place(store.ids().group_of(key), place::pools);
    return;
  }
  // All that may move moves: mine each time, the rest now and then.
  std::set<kith::id_t> others;
  store.ids().each([&](const id_record& record) {
    if (!record.group->pinned && !mine.contains(record.group->key))
      others.insert(record.group->key);
  });
  const auto move = [&](kith::id_t key) {
    id_group& group = store.ids().group_of(key);
    if (group.pinned) return;
    store.place(group, group.where == place::tables ? place::pools : place::tables);
  };
  for (kith::id_t key : mine) move(key);
  for (kith::id_t key : others)
    if (mix(key + step_) % 2) move(key);
}

// --- text ----------------------------------------------------------------------------------------

std::string line_of(kith::entity e) {
  std::string text = e.path() + ":";
  const char* comma = " ";
  for (kith::id i : e.type()) {
    text.append(comma).append(e.enabled(i) ? "" : "-").append(i.str());
    const kith::entity type = i.type_id();
    const auto* info = type ? type.get<kith::component_info>() : nullptr;
    if (info && info->size == sizeof(int))
      text += "=" + std::to_string(*static_cast<const int*>(e.get_mut(i)));
    comma = ", ";
  }
  return text;
}

std::string state_of(kith::world& world) {
  std::string text;
  std::size_t left = world.entity_count();
  for (std::uint32_t i = kith::core::first_user_index; left > 0; ++i)
    if (const kith::entity_t e = world.engine().alive_at(i)) {
      text += line_of(world.entity(e)) + "\n";
      --left;
    }
  return text;
}

std::string names(std::initializer_list<kith::entity> list) {
  return names(std::vector<kith::entity>(list));
}

// --- any_storage ---------------------------------------------------------------------------------

any_storage::thing any_storage::exclusive(std::string_view name) {
  const kith::entity e = world_.entity(name);
  placement_.keep_exclusive(e);
  return {*this, e};
}

any_storage::thing any_storage::keep(kith::entity e) {
  placement_.keep(e);
  return {*this, e};
}

std::string any_storage::message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const kith::error& e) {
    return e.what();
  }
  return "";
}

void any_storage::expect_refused(kith::errc code, std::initializer_list<std::string_view> words,
                                 const std::function<void()>& action) {
  const std::string before = state();
  try {
    action();
    ADD_FAILURE() << "no error was raised";
  } catch (const kith::error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    for (std::string_view word : words)
      EXPECT_NE(std::string_view(e.what()).find(word), std::string_view::npos)
          << "'" << word << "' is not in: " << e.what();
  }
  EXPECT_EQ(state(), before);
}

}  // namespace storage_tests
