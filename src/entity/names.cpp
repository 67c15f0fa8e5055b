#include "entity/names.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "base/make_room.hpp"
#include "base/try_allocate.hpp"

namespace kith::core {

std::string_view names::name_of(std::uint32_t index) const {
  auto found = by_entity_.find(index);
  return found == by_entity_.end() ? std::string_view() : found->second->text;
}

names::parent_index names::parent_of(std::uint32_t index) const {
  auto found = by_entity_.find(index);
  return found == by_entity_.end() ? 0 : found->second->parent;
}

entity_t names::find(parent_index parent, std::string_view name) const {
  auto found = by_name_.find(key{parent, name});
  return found == by_name_.end() ? 0 : found->second->owner;
}

std::vector<entity_t> names::all_called(std::string_view name) const {
  const std::lock_guard lock(filing_);
  if (!by_text_) {
    auto all = std::make_unique<text_index>();
    for (const auto& [index, e] : by_entity_) {
      std::vector<entry*>& same = (*all)[text_hash{}(e->text)];
      e->place = same.size();
      same.push_back(e.get());
    }
    by_text_ = std::move(all);
  }
  std::vector<entity_t> found;
  const auto filed = by_text_->find(text_hash{}(name));
  if (filed == by_text_->end()) return found;
  for (const entry* e : filed->second)
    if (e->text == name) found.push_back(e->owner);
  std::ranges::sort(found, {}, index_of);
  return found;
}

void names::file(entry& e) noexcept {
  const std::lock_guard lock(filing_);
  const auto add = [&] {
    std::vector<entry*>& same = (*by_text_)[text_hash{}(e.text)];
    e.place = same.size();
    same.push_back(&e);
  };
  if (by_text_ && !try_allocate(add)) by_text_.reset();
}

void names::unfile(entry& e) noexcept {
  const std::lock_guard lock(filing_);
  if (!by_text_) return;
  const auto filed = by_text_->find(text_hash{}(e.text));
  std::vector<entry*>& same = filed.value();
  same[e.place] = same.back();
  same[e.place]->place = e.place;
  same.pop_back();
  if (same.empty()) by_text_->erase(filed);
}

void names::insert(std::unique_ptr<entry> fresh) {
  ++version_;
  file(*fresh);
  by_name_[key{fresh->parent, fresh->text}] = fresh.get();
  by_entity_[index_of(fresh->owner)] = std::move(fresh);
}

std::unique_ptr<names::entry> names::take(entity_t e) {
  auto found = by_entity_.find(index_of(e));
  if (found == by_entity_.end()) return nullptr;
  ++version_;
  std::unique_ptr<entry> taken = std::move(found.value());
  unfile(*taken);
  by_name_.erase(key{taken->parent, taken->text});
  by_entity_.erase(found);
  return taken;
}

void names::set(entity_t e, parent_index parent, std::string_view name) {
  KITH_ASSERT(!name.empty() && !find(parent, name), "the name must be free");
  auto fresh = std::make_unique<entry>(entry{e, parent, std::string(name), 0});
  // The rest happens completely or not at all.
  make_room(by_name_);
  make_room(by_entity_);
  if (undo_) undo_->reserve(2);
  erase(e);
  insert(std::move(fresh));
  note(e);
}

void names::note(entity_t e) {
  if (!undo_ || !by_entity_.contains(index_of(e))) return;
  undo_->push(
      [this, e, kept = std::unique_ptr<entry>()](undo_way way) mutable { exchange(e, kept, way); });
}

void names::exchange(entity_t e, std::unique_ptr<entry>& kept, undo_way way) {
  const bool comes = kept != nullptr;
  if (way == undo_way::back && !comes) make_room(coming_);
  if (comes)
    insert(std::move(kept));
  else
    kept = take(e);
  if (way == undo_way::back && !comes) coming_.push_back({kept->parent, kept->text});
  if (way == undo_way::again && comes) coming_.pop_back();
  if (entity_record* const r = entities_->find(e)) r->named = comes;
}

void names::move(entity_t e, parent_index to) {
  const entry& moved = *by_entity_.at(index_of(e));
  const parent_index from = moved.parent;
  if (from == to) return;
  KITH_ASSERT(!find(to, moved.text), "the name must be free");
  if (undo_)
    undo_->push([this, e, from, to](undo_way way) {
      const key there{to, by_entity_.at(index_of(e))->text};
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
  entry& moved = *by_entity_.at(index_of(e));
  ++version_;
  by_name_.erase(key{moved.parent, moved.text});
  moved.parent = to;
  by_name_[key{to, moved.text}] = &moved;
}

void names::erase(entity_t e) {
  if (undo_) undo_->reserve(1);
  std::unique_ptr<entry> old = take(e);
  if (undo_ && old)
    undo_->push([this, e, kept = std::move(old)](undo_way way) mutable { exchange(e, kept, way); });
}

}  // namespace kith::core
