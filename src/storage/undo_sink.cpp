#include "storage/undo_sink.hpp"

#include <utility>

namespace kith::core {

namespace {

// What is needed to take one delta back. Tags have no value.
struct step {
  store* in;
  entity_t e;
  id_t id;
  bool off;
};
struct step_with_value {
  step what;
  slot_buffer value;
};

void give_back(const step& s, const value_source& source) {
  s.in->add(s.e, s.id, source);
  if (s.off) s.in->set_off(*s.in->entities().find(s.e), s.id, true);
}

void write_back(step_with_value& s) {
  const value_source source = s.value.source();
  s.what.in->assign(s.what.in->find_value(*s.what.in->entities().find(s.what.e), s.what.id),
                    s.what.e, s.what.id, source);
}

void end(const step& s) {
  // If the change failed, the entity has ended already.
  const entity_record* r = s.in->entities().find(s.e);
  if (!r) return;
  // The ids that were made of the entity later are taken back already.
  if (r->referenced) s.in->forget_if_unused(s.e);
  s.in->destroy(s.e);
}

}  // namespace

void undo_sink::before(std::span<const delta> deltas) {
  static_assert(sizeof(step_with_value) <= undo_log::usual_step);
  log_.reserve_beside(deltas.size());
}

void undo_sink::after(std::span<const delta> deltas) noexcept {
  for (const delta& d : deltas) {
    const step back{&store_, d.entity, d.id, d.off};
    switch (d.what) {
      case delta::kind::began:
        log_.push([back] { end(back); });
        break;
      case delta::kind::gained:
        log_.push([back] { back.in->remove(back.e, back.id); });
        break;
      case delta::kind::lost:
        if (d.old)
          log_.push([s = step_with_value{back, std::move(*d.old)}]() mutable {
            give_back(s.what, s.value.source());
          });
        else
          log_.push([back] { give_back(back, {}); });
        break;
      case delta::kind::written:
        log_.push([s = step_with_value{back, std::move(*d.old)}]() mutable { write_back(s); });
        break;
      case delta::kind::switched:
        log_.push(
            [back] { back.in->set_off(*back.in->entities().find(back.e), back.id, !back.off); });
        break;
      case delta::kind::ended:
        log_.push([back] { back.in->make_alive(back.e); });
        break;
    }
  }
}

}  // namespace kith::core
