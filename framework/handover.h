#pragma once

#include <any>
#include <map>
#include <typeindex>
#include <typeinfo>
#include <utility>

namespace batholith {

// What an action leaves for those that come after it in the session, one value a type. The type
// belongs to the actions that use it. Owned by the session, and gone with it.
class Handover {
 public:
  template <typename Value>
  void Leave(Value value) {
    left_[typeid(Value)] = std::move(value);
  }
  // nullptr: nobody has left any.
  template <typename Value>
  const Value* Find() const {
    const auto it = left_.find(typeid(Value));
    return it == left_.end() ? nullptr : std::any_cast<Value>(&it->second);
  }

 private:
  std::map<std::type_index, std::any> left_;
};

}  // namespace batholith
