#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace batholith {

// A value that many records have in common (labels, requests, names of owners), in 8 bytes: copies
// refer to the same one until somebody writes. Reads like a const T; whatever changes it goes
// through Edit, which makes a copy of its own where others refer to it too. Copies may be on
// different threads. An empty value costs no memory beyond the 8 bytes.
template <typename T>
class Shared {
 public:
  Shared() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): it stands for the value
  Shared(T value) {
    if (!(value == T())) node_ = new Node{std::move(value)};
  }
  template <typename From>
    requires(std::convertible_to<From, T> && !std::same_as<std::remove_cvref_t<From>, T> &&
             !std::same_as<std::remove_cvref_t<From>, Shared>)
  // NOLINTNEXTLINE(google-explicit-constructor): likewise
  Shared(From&& from) : Shared(T(std::forward<From>(from))) {}

  // Of a map, its entries.
  template <typename Map = T>
  Shared(std::initializer_list<typename Map::value_type> entries) : Shared(T(entries)) {}
  template <typename Map = T>
  Shared& operator=(std::initializer_list<typename Map::value_type> entries) {
    return *this = Shared(T(entries));
  }

  Shared(const Shared& o) : node_(o.node_) {
    if (node_ != nullptr) node_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  Shared(Shared&& o) noexcept : node_(std::exchange(o.node_, nullptr)) {}
  Shared& operator=(Shared o) noexcept {
    std::swap(node_, o.node_);
    return *this;
  }
  ~Shared() {
    if (node_ != nullptr && node_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete node_;
  }

  const T& get() const { return node_ == nullptr ? Empty() : node_->value; }
  // NOLINTNEXTLINE(google-explicit-constructor): it stands for the value
  operator const T&() const { return get(); }
  const T& operator*() const { return get(); }
  const T* operator->() const { return &get(); }

  // To be written to. Valid until this is copied.
  T& Edit() {
    if (node_ == nullptr) {
      node_ = new Node{T()};
    } else if (IsShared()) {
      *this = Shared(new Node{node_->value});
    }
    return node_->value;
  }

  // Whether another copy refers to the same value.
  bool IsShared() const {
    return node_ != nullptr && node_->owners.load(std::memory_order_acquire) > 1;
  }

  bool operator==(const Shared& o) const { return node_ == o.node_ || get() == o.get(); }
  template <typename Other>
    requires(!std::same_as<std::remove_cvref_t<Other>, Shared>)
  bool operator==(const Other& o) const {
    return get() == o;
  }

  // What is asked of a string or a map.
  bool empty() const { return node_ == nullptr || node_->value.empty(); }
  auto size() const { return get().size(); }
  auto begin() const { return get().begin(); }
  auto end() const { return get().end(); }
  template <typename Key>
  auto find(const Key& key) const {
    return get().find(key);
  }
  template <typename Key>
  bool contains(const Key& key) const {
    return get().contains(key);
  }
  template <typename Key>
  auto lower_bound(const Key& key) const {
    return get().lower_bound(key);
  }
  template <typename Key>
  const auto& at(const Key& key) const {
    return get().at(key);
  }
  // Of a map, to be written to.
  template <typename Key>
  auto& operator[](Key&& key) {
    return Edit()[std::forward<Key>(key)];
  }
  template <typename Key>
  auto erase(const Key& key) {
    return contains(key) ? Edit().erase(key) : 0;
  }
  void clear() { *this = Shared(); }

 private:
  struct Node {
    T value;
    std::atomic<std::uint32_t> owners = 1;
  };
  explicit Shared(Node* node) : node_(node) {}
  static const T& Empty() {
    static const T kEmpty;
    return kEmpty;
  }

  Node* node_ = nullptr;
};

}  // namespace batholith
