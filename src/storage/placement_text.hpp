// Where a group of ids is kept and why, as text: "pools; 900 rows; moved once: ...".
#pragma once

#include <string>

#include "storage/store.hpp"

namespace kith::core {

std::string placement_text(const store& s, const id_group& group);

}  // namespace kith::core
