// The slow halves of the checks.
#include "world/engine_state.hpp"

namespace kith::core {

entity_record& engine_state::promised_or_raise(entity_t e) {
  stages.check_not_ended();
  return stages.is_promised(e) ? stages.promised_record() : graph_.alive(e);
}

id_t engine_state::promised_pair(entity_t relation, entity_t target) const {
  if (is_pair(relation) || is_pair(target))
    raise(errc::constraint, "a pair cannot be the relation or the target of a pair: ",
          text(is_pair(relation) ? relation : target));
  alive(relation);
  alive(target);
  return make_pair(relation, target);
}

const type_info& engine_state::check_has_value(id_t id, entity_t value_type) const {
  const type_info* type = store().types().type_of(id);
  if (!type) raise(errc::type, text(id), " is a tag and has no value");
  if (value_type && type->component != value_type)
    raise(errc::type, text(id), " has values of type ", text(type->component), ", not ",
          text(value_type));
  return *type;
}

void engine_state::raise_becomes_component() {
  raise(errc::constraint, "an entity becomes a component when it is registered as one");
}

}  // namespace kith::core
