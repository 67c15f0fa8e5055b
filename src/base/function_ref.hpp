// A function of the caller, which outlives the call. It is not copied, and takes no memory.
#pragma once

#include <memory>
#include <type_traits>

namespace kith::core {

template <class Signature>
class function_ref;

template <class Result, class... Arguments>
class function_ref<Result(Arguments...)> {
 public:
  template <class Function>
  requires(!std::is_same_v<std::remove_cvref_t<Function>, function_ref>)  //
      function_ref(Function&& f)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* object, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<Function>*>(object))(
              static_cast<Arguments&&>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const {
    return call_(object_, static_cast<Arguments&&>(arguments)...);
  }

 private:
  void* object_;
  Result (*call_)(void* object, Arguments... arguments);
};

}  // namespace kith::core
