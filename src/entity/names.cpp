#include "entity/names.hpp"

#include <algorithm>
#include <cstring>

#include "base/assert.hpp"
#include "base/make_room.hpp"
#include "base/try_allocate.hpp"

namespace kith::core {

names::entry_ptr names::make_entry(entity_t owner, parent_index parent, std::string_view text) {
  void* const memory = ::operator new(sizeof(entry) + text.size());
  entry* const e = ::new (memory) entry{owner, text.size(), parent};
  std::memcpy(e + 1, text.data(), text.size());
  return entry_ptr(e);
}

std::string_view names::name_of(std::uint32_t index) const {
  const entry* const e = by_owner_.find(index);
  return e ? e->text() : std::string_view();
}

names::parent_index names::parent_of(std::uint32_t index) const {
  const entry* const e = by_owner_.find(index);
  return e ? e->parent : 0;
}

entity_t names::find(parent_index parent, std::string_view name) const {
  auto found = by_name_.find(key{parent, name});
  return found == by_name_.end() ? 0 : (*found)->owner;
}

std::vector<entity_t> names::all_called(std::string_view name) const {
  const std::lock_guard lock(filing_);
  if (!by_text_) {
    auto all = std::make_unique<text_index>();
    by_owner_.each([&](entry& e) { add_to(*all, e); });
    by_text_ = std::move(all);
  }
  std::vector<entity_t> found;
  const auto filed = by_text_->find(text_hash{}(name));
  if (filed == by_text_->end()) return found;
  for (const entry* e : filed->second)
    if (e->text() == name) found.push_back(e->owner);
  std::ranges::sort(found, {}, index_of);
  return found;
}

void names::add_to(text_index& all, entry& e) {
  std::vector<entry*>& same = all[text_hash{}(e.text())];
  same.push_back(&e);
  e.place = static_cast<std::uint32_t>(same.size() - 1);
}

void names::file(entry& e) noexcept {
  const std::lock_guard lock(filing_);
  if (by_text_ && !try_allocate([&] { add_to(*by_text_, e); })) by_text_.reset();
}

void names::unfile(entry& e) noexcept {
  const std::lock_guard lock(filing_);
  if (!by_text_) return;
  const auto filed = by_text_->find(text_hash{}(e.text()));
  std::vector<entry*>& same = filed.value();
  same[e.place] = same.back();
  same[e.place]->place = e.place;
  same.pop_back();
  if (same.empty()) by_text_->erase(filed);
}

void names::insert(entry_ptr fresh) {
  ++version_;
  file(*fresh);
  by_name_.insert(fresh.get());
  by_owner_.at(index_of(fresh->owner)) = std::move(fresh);
}

names::entry_ptr names::take(entity_t e) {
  if (!by_owner_.find(index_of(e))) return nullptr;
  ++version_;
  entry_ptr taken = std::move(by_owner_.at(index_of(e)));
  unfile(*taken);
  by_name_.erase(taken.get());
  return taken;
}

void names::set(entity_t e, parent_index parent, std::string_view name) {
  KITH_ASSERT(!name.empty() && !find(parent, name), "the name must be free");
  entry_ptr fresh = make_entry(e, parent, name);
  // The rest happens completely or not at all.
  make_room(by_name_);
  by_owner_.make_room(index_of(e));
  if (undo_) undo_->reserve(2);
  erase(e);
  insert(std::move(fresh));
  note(e);
}

void names::note(entity_t e) {
  if (!undo_ || !by_owner_.find(index_of(e))) return;
  undo_->push([this, e, kept = entry_ptr()](undo_way way) mutable { exchange(e, kept, way); });
}

void names::exchange(entity_t e, entry_ptr& kept, undo_way way) {
  const bool comes = kept != nullptr;
  if (way == undo_way::back && !comes) make_room(coming_);
  if (comes)
    insert(std::move(kept));
  else
    kept = take(e);
  if (way == undo_way::back && !comes) coming_.push_back(kept->where());
  if (way == undo_way::again && comes) coming_.pop_back();
  if (entity_record* const r = entities_->find(e)) r->named = comes;
}

void names::move(entity_t e, parent_index to) {
  const entry& moved = *by_owner_.at(index_of(e));
  const parent_index from = moved.parent;
  if (from == to) return;
  KITH_ASSERT(!find(to, moved.text()), "the name must be free");
  if (undo_)
    undo_->push([this, e, from, to](undo_way way) {
      const key there{to, by_owner_.at(index_of(e))->text()};
      if (way == undo_way::again) {
        shift(e, to);
        coming_.pop_back();
      } else {
        if (way == undo_way::back) coming_.push_back(there);
        shift(e, from);
      }
    });
  shift(e, to);
}

void names::shift(entity_t e, parent_index to) {
  entry& moved = *by_owner_.at(index_of(e));
  ++version_;
  by_name_.erase(&moved);
  moved.parent = to;
  by_name_.insert(&moved);
}

void names::erase(entity_t e) {
  if (undo_) undo_->reserve(1);
  entry_ptr old = take(e);
  if (undo_ && old)
    undo_->push([this, e, kept = std::move(old)](undo_way way) mutable { exchange(e, kept, way); });
}

}  // namespace kith::core
