#include "storage/undo_sink.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace kith::core {

namespace {

// An id of an entity. No entity has the highest bit.
struct place {
  store* in;
  entity_t e : 63;
  entity_t off : 1;  // is the id off, or was it, when the entity lost it?
  id_t id;

  place(store& s, const delta& d) : in(&s), e(d.entity & ~pair_flag), off(d.off), id(d.id) {}
  entity_record& record() const { return *in->entities().find(e); }
  void take_out(slot_buffer* value) {
    off = in->is_off(record(), id);
    in->take_out(e, id, value);
  }
};

struct tag_gained {
  place at;
  void operator()(undo_way way) {
    if (way == undo_way::again)
      at.in->put_back(at.e, at.id, nullptr, at.off);
    else
      at.take_out(nullptr);
  }
};

struct value_gained {
  place at;
  std::vector<undo_sink::write>* writes;
  std::unique_ptr<slot_buffer> value = nullptr;  // has the value while the change is taken back
  void operator()(undo_way way) {
    if (way == undo_way::back_for_good) writes->pop_back();
    if (way == undo_way::again) return at.in->put_back(at.e, at.id, value.get(), at.off);
    if (way == undo_way::back && !value)
      value = std::make_unique<slot_buffer>(*at.in->find_value(at.record(), at.id).type);
    at.take_out(value.get());
  }
};

struct tag_lost {
  place at;
  void operator()(undo_way way) {
    if (way == undo_way::again)
      at.take_out(nullptr);
    else
      at.in->put_back(at.e, at.id, nullptr, at.off);
  }
};

struct value_lost {
  place at;
  slot_buffer value;
  void operator()(undo_way way) {
    if (way == undo_way::again)
      at.take_out(&value);
    else
      at.in->put_back(at.e, at.id, &value, at.off);
  }
};

struct written {
  place at;
  std::vector<undo_sink::write>* writes;
  slot_buffer other;                            // has the value that the entity has not
  std::unique_ptr<slot_buffer> room = nullptr;  // for the exchange of the two
  void operator()(undo_way way) {
    if (way == undo_way::back_for_good) writes->pop_back();
    if (way == undo_way::back_for_good && !room) return write_back();
    if (!room) room = std::make_unique<slot_buffer>(*other.type());
    at.in->exchange_value(at.e, at.id, other, *room);
    other.swap(*room);
  }
  // The value that was written ends.
  void write_back() {
    const value_source source = other.source();
    at.in->assign(at.in->find_value(at.record(), at.id), at.e, at.id, source);
  }
};

struct switched {
  place at;
  void operator()(undo_way way) {
    at.in->switch_back(at.e, at.id, (way == undo_way::again) == at.off);
  }
};

// An entity, and whether it is referenced (entity_record), which it is again when it lives again.
struct life {
  store* in;
  entity_t e : 63;
  entity_t referenced : 1;

  life(store& s, entity_t entity) : in(&s), e(entity & ~pair_flag), referenced(false) { look(); }
  entity_record& record() const { return *in->entities().find(e); }
  void look() { referenced = record().referenced; }
  void mark() const { record().referenced = referenced; }
};

struct ended {
  life of;
  void operator()(undo_way way) {
    if (way == undo_way::again) {
      of.look();
      of.in->end_again(of.e);
    } else {
      of.in->take_back_end(of.e);
      of.mark();
    }
  }
};

struct began {
  life of;
  // What is known of ids made of the entity, while its beginning is taken back.
  std::unique_ptr<store::groups_of_one> groups = nullptr;

  void operator()(undo_way way) { run(way, nullptr); }
  void run(undo_way way, const entity_index::revival* how) {
    if (way == undo_way::again) {
      of.in->begin_again(of.e, how);
      of.mark();
      if (groups) of.in->put_groups_back(of.e, *groups);
      return;
    }
    of.look();
    if (way == undo_way::back && of.referenced && !groups)
      groups = std::make_unique<store::groups_of_one>();
    // The ids that were made of the entity are taken back already.
    if (groups)
      of.in->put_groups_aside(of.e, *groups);
    else if (of.referenced)
      of.in->forget_if_unused(of.e);
    of.in->take_back_begin(of.e, how);
  }
};

// The same for an entity whose id the caller chose.
struct revived {
  entity_index::revival how;
  began what;
  void operator()(undo_way way) { what.run(way, &how); }
};

}  // namespace

void undo_sink::before(std::span<const delta> deltas) {
  log_.reserve_beside(deltas.size());
  make_room(writes_, deltas.size());
}

void* undo_sink::coming_value(entity_t e, id_t id) {
  const auto key = [](const write& w) { return std::pair(w.e, w.id); };
  // Equal ones stay in the order in which they were written.
  if (!std::exchange(sorted_, true)) std::ranges::stable_sort(writes_, {}, key);
  const auto after = std::ranges::upper_bound(writes_, std::pair(e, id), {}, key);
  if (after == writes_.begin() || key(after[-1]) != std::pair(e, id)) return nullptr;
  const write& last = after[-1];
  slot_buffer* const value = last.gained ? last.gained->get() : last.value;
  return value ? value->type()->value(value->get()) : nullptr;
}

void undo_sink::after(std::span<const delta> deltas) noexcept {
  for (const delta& d : deltas) push(d);
}

void undo_sink::note(const write& w) noexcept {
  writes_.push_back(w);
  sorted_ = false;
}

void undo_sink::push(const delta& d) noexcept {
  switch (d.what) {
    case delta::kind::began:
      if (const entity_index::revival& last = store_.entities().last_revival(); last.e == d.entity)
        log_.push(revived{last, {{store_, d.entity}}});
      else
        log_.push(began{{store_, d.entity}}), ++begun_;
      break;
    case delta::kind::gained:
      if (d.value)
        note({d.entity, d.id, nullptr, &log_.push(value_gained{{store_, d}, &writes_}).value});
      else
        log_.push(tag_gained{{store_, d}});
      break;
    case delta::kind::lost:
      if (d.old)
        log_.push(value_lost{{store_, d}, std::move(*d.old)});
      else
        log_.push(tag_lost{{store_, d}});
      break;
    case delta::kind::written:
      note({d.entity, d.id, &log_.push(written{{store_, d}, &writes_, std::move(*d.old)}).other});
      break;
    case delta::kind::switched:
      log_.push(switched{{store_, d}});
      break;
    case delta::kind::ended:
      log_.push(ended{{store_, d.entity}});
      break;
  }
}

}  // namespace kith::core
