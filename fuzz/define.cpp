// Any text defines a world, or is an error that leaves the world empty. A world prints as facts
// that define an equal world.
#include <kith/kith.hpp>

#include "check_error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Skips texts with large entity numbers: each allocates a page of records, which slows the
  // fuzzer.
  for (std::size_t at = 0; (at = text.find('#', at)) != text.npos; ++at) {
    std::size_t end = at + 1;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (end - at > 7) return 0;
  }
  kith::world world;
  world.define(
      "struct Position {f32 x, f32 y}\nPosition(bob) {1, 2}\nExclusive(Likes), Likes(bob, alice)\n"
      "Prefab(Tank), ChildOf(turret, Tank), Position(turret) {3}, OnInstantiate(Position, "
      "Override)\n"
      "OrderedChildren(car), ChildOf(wheel, car), Symmetric(Married), Married(bob, alice)");
  const std::string before = world.facts();
  const auto done = world.try_define(text);
  const std::string facts = world.facts();
  if (!done) {
    const kith::text_position at = done.error().position();
    require(at.line >= 1 && at.column >= 1 && at.column <= text.size() + 1);
    require(facts == before);
    return 0;
  }
  kith::world again;
  require(again.try_define(facts).has_value());
  require(again.facts() == facts);
  return 0;
}
