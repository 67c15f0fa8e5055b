#include "meta/members.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/scope_exit.hpp"

namespace kith::core {

namespace {

struct kind_row {
  member_kind kind;
  std::string_view word;
  std::size_t size;  // and alignment
};

constexpr std::array<kind_row, 13> kinds = {{
    {member_kind::boolean, "bool", sizeof(bool)},
    {member_kind::i8, "i8", 1},
    {member_kind::i16, "i16", 2},
    {member_kind::i32, "i32", 4},
    {member_kind::i64, "i64", 8},
    {member_kind::u8, "u8", 1},
    {member_kind::u16, "u16", 2},
    {member_kind::u32, "u32", 4},
    {member_kind::u64, "u64", 8},
    {member_kind::f32, "f32", 4},
    {member_kind::f64, "f64", 8},
    {member_kind::text, "text", 0},
    {member_kind::entity, "entity", sizeof(entity_t)},
}};

// Limits for structs that a text defines. Values are visited by recursion, and a struct with two
// members of another struct doubles its size with one short line.
constexpr std::size_t max_depth = 500;
constexpr std::size_t max_size = std::size_t{1} << 24;

const type_info& text_type() {
  static const type_info type(describe_type<std::string>(), 0);
  return type;
}

// Values with parts that need their own constructors and destructors. All other bytes of a value
// are copied as they are.
class parted_values final : public value_operations {
 public:
  struct part {
    std::size_t offset;
    const type_info* type;
  };
  parted_values(std::size_t size, std::vector<part> parts)
      : size_(size), parts_(std::move(parts)) {}

  void construct(void* value) const override {
    std::memset(value, 0, size_);
    each_or_none(value, [&](const part& p, void* at) { construct_default(*p.type, at); });
  }
  void copy(void* value, const void* from) const override {
    std::memcpy(value, from, size_);
    each_or_none(value, [&](const part& p, void* at) {
      construct_copy(*p.type, at, static_cast<const std::byte*>(from) + p.offset);
    });
  }
  void relocate(void* value, void* from) const noexcept override {
    std::memcpy(value, from, size_);
    for (const part& p : parts_) core::relocate(*p.type, place(value, p), place(from, p), 1);
  }
  void destroy(void* value) const noexcept override {
    for (const part& p : parts_) core::destroy(*p.type, place(value, p), 1);
  }
  bool destroys() const noexcept override {
    return std::ranges::any_of(parts_, [](const part& p) {
      return p.type->hooks.destroy || (p.type->operations && p.type->operations->destroys());
    });
  }

 private:
  static void* place(void* value, const part& p) {
    return static_cast<std::byte*>(value) + p.offset;
  }
  template <class Make>
  void each_or_none(void* value, Make make) const {
    std::size_t done = 0;
    scope_exit undo([&] {
      while (done-- > 0) core::destroy(*parts_[done].type, place(value, parts_[done]), 1);
    });
    for (; done < parts_.size(); ++done) make(parts_[done], place(value, parts_[done]));
    undo.dismiss();
  }

  std::size_t size_;
  std::vector<part> parts_;
};

// Whether values of the type begin as zero bytes and are copied as bytes.
bool is_plain(const type_info& t) {
  return !t.operations && !t.hooks.construct && !t.hooks.copy && !t.hooks.move && !t.hooks.destroy;
}

}  // namespace

struct_members::struct_members(std::vector<member> list) : list_(std::move(list)) {
  for (std::size_t i = 0; i < list_.size(); ++i) {
    by_name_[list_[i].name] = i;
    if (list_[i].members) depth_ = std::max(depth_, list_[i].members->depth() + 1);
  }
}

const member* struct_members::find(std::string_view name) const {
  auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &list_[found->second];
}

bool same_members(const struct_members& a, const struct_members& b) {
  return std::ranges::equal(a.list(), b.list(), [](const member& x, const member& y) {
    return x.name == y.name && x.kind == y.kind && x.component == y.component;
  });
}

std::string_view word_of(member_kind kind) {
  for (const kind_row& row : kinds)
    if (row.kind == kind) return row.word;
  return {};
}

const member_kind* find_kind(std::string_view word) {
  for (const kind_row& row : kinds)
    if (row.word == word) return &row.kind;
  return nullptr;
}

result<struct_layout> lay_out(const std::vector<member_plan>& plan) {
  std::vector<member> list;
  std::vector<parted_values::part> parts;
  std::size_t size = 0, alignment = 1;
  for (const member_plan& m : plan) {
    std::size_t own_size = 0, own_alignment = 1;
    const type_info* part = m.kind == member_kind::text ? &text_type() : m.type;
    if (part) {
      if (part->boxed || !part->has_default() || !part->can_copy())
        return error(errc::type, concat("values of ", part->name, " cannot be part of a struct: ",
                                        "they cannot be moved, copied or made by default"));
      own_size = part->size;
      own_alignment = part->alignment;
    } else {
      for (const kind_row& row : kinds)
        if (row.kind == m.kind) own_size = own_alignment = row.size;
    }
    size = (size + own_alignment - 1) / own_alignment * own_alignment;
    if (part && !is_plain(*part)) parts.push_back({size, part});
    member placed{m.name, m.kind, size};
    if (m.type) {
      placed.component = m.type->component;
      placed.members = m.members;
    }
    list.push_back(std::move(placed));
    size += own_size;
    alignment = std::max(alignment, own_alignment);
    if (size > max_size)
      return error(errc::type, concat("a struct has at most ", std::to_string(max_size), " bytes"));
  }
  struct_layout layout;
  layout.members = std::make_shared<const struct_members>(std::move(list));
  if (layout.members->depth() > max_depth)
    return error(errc::type,
                 concat("structs are nested at most ", std::to_string(max_depth), " deep"));
  layout.type.size = (size + alignment - 1) / alignment * alignment;
  layout.type.alignment = alignment;
  layout.type.zero_default = parts.empty();
  if (!parts.empty())
    layout.type.operations =
        std::make_shared<const parted_values>(layout.type.size, std::move(parts));
  return layout;
}

const struct_members* member_table::find(entity_t component) const {
  auto found = by_component_.find(component);
  return found == by_component_.end() ? nullptr : found->second.get();
}

std::shared_ptr<const struct_members> member_table::share(entity_t component) const {
  auto found = by_component_.find(component);
  return found == by_component_.end() ? nullptr : found->second;
}

void member_table::set(entity_t component, std::shared_ptr<const struct_members> members,
                       undo_log* undo) {
  note(component, undo);
  by_component_[component] = std::move(members);
}

void member_table::erase(entity_t component, undo_log* undo) {
  if (by_component_.empty() || !find(component)) return;
  note(component, undo);
  by_component_.erase(component);
}

void member_table::note(entity_t component, undo_log* undo) {
  if (!undo) return;
  undo->push([this, component, other = share(component)](undo_way) mutable {
    std::shared_ptr<const struct_members> now = share(component);
    if (other)
      by_component_[component] = std::move(other);
    else
      by_component_.erase(component);
    other = std::move(now);
  });
}

}  // namespace kith::core
