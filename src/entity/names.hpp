// The names of entities. A name is unique among the children of one parent.
//
// Names are not ids: no type contains them, and no wildcard matches them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <string_view>
#include <vector>

#include <kith/detail/id.hpp>

#include "base/hash_map.hpp"
#include "base/undo_log.hpp"
#include "ids/entity_index.hpp"

namespace kith::core {

class names {
 public:
  // Index 0 stands for the root.
  using parent_index = std::uint32_t;

  // The name of the entity at `index`; empty if it has none. Valid until the name changes.
  std::string_view name_of(std::uint32_t index) const;
  // The entity called `name` under `parent`, or 0.
  entity_t find(parent_index parent, std::string_view name) const;
  // All entities with this name, under any parent. The first call files all names. Several threads
  // may ask at once.
  std::vector<entity_t> all_called(std::string_view name) const;

  // These happen completely or not at all. Without a log, moving and erasing take no memory.

  // Gives `e` a name and takes its old one away. Requires: `name` is not empty, and no entity has
  // it under `parent`.
  void set(entity_t e, parent_index parent, std::string_view name);
  // The parent under which the entity has its name; 0 for the root, or without a name.
  parent_index parent_of(std::uint32_t index) const;
  // Moves the name of `e` to another parent. Requires: `e` has a name, and no other entity has that
  // name under `to`.
  void move(entity_t e, parent_index to);
  // Does nothing if `e` has no name.
  void erase(entity_t e);

  // Increases whenever a name is added, removed or moved.
  std::uint64_t version() const { return version_; }

  // Every later change pushes a step to `log`; null ends this. The steps keep
  // entity_record::named right, too.
  void set_undo(undo_log* log, entity_index& entities) {
    undo_ = log;
    entities_ = &entities;
  }

  // While changes are taken back (set_undo): will the name be given again when they are carried
  // out?
  bool is_coming(parent_index parent, std::string_view name) const {
    return std::ranges::find(coming_, key{parent, name}) != coming_.end();
  }
  // They will not be carried out.
  void forget_coming() { coming_.clear(); }

  // Pushes a step for the name that `e` has, as if it had just come.
  void note(entity_t e);

  // Visits all names as (entity, name).
  template <class Visit>
  void each(Visit visit) const {
    by_owner_.each([&](const entry& e) { visit(e.owner, e.text()); });
  }

 private:
  struct key {
    parent_index parent;
    std::string_view text;  // points into the entry
    friend bool operator==(const key&, const key&) = default;
  };
  // The text follows in the same block of memory: a look at a name is a look at one place.
  struct entry {
    entity_t owner;
    std::size_t length;
    parent_index parent;
    std::uint32_t place = 0;  // among those with the same name, in by_text_
    std::string_view text() const { return {reinterpret_cast<const char*>(this + 1), length}; }
    key where() const { return {parent, text()}; }
  };
  struct entry_deleter {
    void operator()(entry* e) const noexcept { ::operator delete(e); }
  };
  using entry_ptr = std::unique_ptr<entry, entry_deleter>;
  static entry_ptr make_entry(entity_t owner, parent_index parent, std::string_view text);

  struct where_hash {
    using is_transparent = void;
    std::size_t operator()(const key& k) const {
      return mix(std::hash<std::string_view>{}(k.text) + mix(k.parent));
    }
    std::size_t operator()(const entry* e) const { return (*this)(e->where()); }
  };
  struct same_place {
    using is_transparent = void;
    static key key_of(const key& k) { return k; }
    static key key_of(const entry* e) { return e->where(); }
    bool operator()(const auto& a, const auto& b) const { return key_of(a) == key_of(b); }
  };

  // The entries by the indices of their owners. A page is made when it is first needed and stays.
  class owned_entries {
   public:
    entry* find(std::uint32_t index) const {
      const std::size_t at = index / page_size;
      return at < pages_.size() && pages_[at] ? (*pages_[at])[index % page_size].get() : nullptr;
    }
    void make_room(std::uint32_t index) {
      const std::size_t at = index / page_size;
      if (at >= pages_.size()) pages_.resize(at + 1);
      if (!pages_[at]) pages_[at] = std::make_unique<page>();
    }
    // Requires: there was room for the index before.
    entry_ptr& at(std::uint32_t index) { return (*pages_[index / page_size])[index % page_size]; }
    template <class Visit>
    void each(Visit visit) const {
      for (const auto& p : pages_)
        if (p)
          for (const entry_ptr& e : *p)
            if (e) visit(*e);
    }

   private:
    static constexpr std::size_t page_size = 512;
    using page = std::array<entry_ptr, page_size>;
    std::vector<std::unique_ptr<page>> pages_;
  };

  using text_hash = std::hash<std::string_view>;
  // By the hash of the name. Where memory ends, there is none any more.
  using text_index = hash_map<std::uint64_t, std::vector<entry*>>;

  static void add_to(text_index& all, entry& e);
  void file(entry& e) noexcept;
  void unfile(entry& e) noexcept;
  // Requires: there is room for it, or it was there when there were as many.
  void insert(entry_ptr fresh);
  entry_ptr take(entity_t e);
  void shift(entity_t e, parent_index to);
  // A step in which the name of `e` comes or goes: moves it into `kept`, or back.
  void exchange(entity_t e, entry_ptr& kept, undo_way way);

  // Names that steps have taken back, in the order of the steps.
  std::vector<key> coming_;
  undo_log* undo_ = nullptr;
  entity_index* entities_ = nullptr;
  std::uint64_t version_ = 1;
  owned_entries by_owner_;
  hash_set<entry*, where_hash, same_place, true> by_name_;
  mutable std::unique_ptr<text_index> by_text_;
  mutable std::mutex filing_;
};

}  // namespace kith::core
