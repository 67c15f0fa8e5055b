#include "support/world_text.hpp"

#include "world/engine_state.hpp"

namespace kith::test {

std::string world_text::of(kith::entity e) const {
  core::engine& engine = *e.engine();
  std::string text = core::concat("e", std::to_string(core::index_of(e.id())));
  if (!e.name().empty()) text += core::concat(" ", e.path());
  text += ":";
  for (id_t id : engine.owned_ids(e.id())) {
    text += text.ends_with(':') ? " " : ", ";
    if (!engine.is_enabled(e.id(), id)) text += "-";
    text += engine.text_of(id);
    const entity_t type = engine.type_of(id);
    auto printer = printers_.find(type);
    if (printer == printers_.end()) continue;
    const void* value = engine.get_mut(e.id(), id, 0);
    text += core::concat("=", value ? printer->second(value) : "lost");
  }
  return text;
}

std::string world_text::of(kith::world& w) const {
  core::engine& engine = w.engine();
  std::string text;
  const std::uint32_t limit = engine.state().store().entities().limit();
  for (std::uint32_t i = core::first_user_index; i < limit; ++i)
    if (const entity_t e = engine.alive_at(i)) text += of(kith::entity(&engine, e)) + "\n";
  return text;
}

}  // namespace kith::test
