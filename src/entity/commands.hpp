// A queue of changes that wait while the world must not change.
//
// The values of commands wait in an arena, in their slot form. Carrying a command out moves its
// value, which cannot fail. The queue destroys the values that no command has moved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <kith/detail/id.hpp>

#include "base/hash_map.hpp"
#include "storage/type_info.hpp"

namespace kith::core {

struct command {
  enum class kind : std::uint8_t {
    add,
    remove,
    set,      // `slot` holds the value
    enable,   // switches `id` on
    disable,  // switches `id` off
    clear,
    destroy,
    clone,            // copies the entity `id`, with its values if `with_values`
    set_name,         // `text`
    order_children,   // `list`
    remove_from_all,  // takes `id` from all entities
    delete_with,      // deletes all entities that have `id`
    emit,             // `list` is an event and ids; `slot` holds the payload if it has one
    modified,         // the value of `id` was written through a pointer
    none,             // `entity` has begun already
  };
  kind what;
  bool with_values = false;
  bool is_default = false;  // no call gave the value of `slot`, but it may have been written since
  bool joined = false;      // this command and the next one are parts of one change
  entity_t entity = 0;
  id_t id = 0;
  const type_info* type = nullptr;
  void* slot = nullptr;
  std::uint32_t text = 0;  // position in texts_
  std::uint32_t list = 0;  // position in lists_
};

class command_gate;

class command_queue {
 public:
  command_queue() = default;
  command_queue(command_queue&& other) noexcept { swap(other); }
  command_queue& operator=(const command_queue&) = delete;
  ~command_queue() { clear(); }
  void swap(command_queue& other) noexcept;

  bool empty() const { return commands_.empty(); }
  std::size_t size() const { return commands_.size(); }

  // While there is a gate, commands that it does not let pass are errors. It stays where it is when
  // queues are swapped.
  void set_gate(const command_gate* gate) { gate_ = gate; }
  const command_gate* gate() const { return gate_; }

  void push(const command& c) {
    if (gate_) check(c);
    commands_.push_back(c);
  }
  // All commands from `first` on are one change.
  void join(std::size_t first) {
    for (std::size_t i = first; i + 1 < commands_.size(); ++i) commands_[i].joined = true;
  }
  void push_name(entity_t e, std::string_view name);
  void push_order(entity_t parent, std::span<const entity_t> children);
  // Queues a value for `id`. Constructs it now from `source`, or as the default one. Returns its
  // slot, which stays where it is until the command is carried out.
  void* push_value(entity_t e, id_t id, const type_info& type, const value_source& source);

  // Queues an event for `e` about some ids, with a payload if there is a type.
  void push_event(entity_t e, entity_t event, std::span<const id_t> ids, const type_info* type,
                  const value_source& payload);

  // What the commands so far will do to `id` of `e`; for `ensure` in deferred mode. Without a value
  // and with `removed` false, they leave the id as it is. `exclusive`: the id is a pair of an
  // Exclusive relation. Amortised O(1).
  struct outlook {
    located_value value;   // the value that the id will have
    bool removed = false;  // the entity will not have the id
  };
  outlook outlook_for(entity_t e, id_t id, bool exclusive);

  command& operator[](std::size_t i) { return commands_[i]; }
  const std::string& text(const command& c) const { return texts_[c.text]; }
  std::span<const entity_t> list(const command& c) const { return lists_[c.list]; }

  // Drops the newest commands, so that `size` are left.
  void truncate(std::size_t size);
  // Drops all commands. Destroys the values that were not moved out: those of commands whose `slot`
  // is not null.
  void clear();

 private:
  void check(const command& c) const;
  void* allocate(std::size_t size, std::size_t alignment);
  void forget_index();

  const command_gate* gate_ = nullptr;

  std::vector<command> commands_;
  std::vector<std::string> texts_;
  std::vector<std::vector<entity_t>> lists_;
  struct chunk {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size;
  };
  std::vector<chunk> chunks_;
  std::size_t used_ = 0;  // of the last chunk

  // An index of the first `indexed_` commands, for outlook_for(). last_change_: the last command
  // that sets or removes an id of an entity. last_emptied_: the last command after which an entity
  // has no ids. sweeping_: removals, which may name patterns, and commands about all entities.
  struct place {
    entity_t entity;
    id_t id;
    friend bool operator==(const place&, const place&) = default;
  };
  struct place_hash {
    std::size_t operator()(const place& p) const { return mix(mix(p.entity) + p.id); }
  };
  hash_map<place, std::size_t, place_hash> last_change_;
  hash_map<place, std::size_t, place_hash> last_of_relation_;  // by (entity, (R, 0))
  hash_map<entity_t, std::size_t> last_emptied_;
  std::vector<std::size_t> sweeping_;
  std::size_t indexed_ = 0;
};

}  // namespace kith::core
