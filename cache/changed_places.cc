#include "cache/changed_places.h"

#include <algorithm>
#include <utility>

namespace batholith {

void ChangedPlaces::Add() {
  index_.push_back(kNone);
  states_.push_back(State::kNew);
  quiet_ = false;
}

void ChangedPlaces::Change(std::size_t place) {
  if (states_[place] != State::kNew) states_[place] = State::kChanged;
  quiet_ = false;
}

void ChangedPlaces::Replace(std::size_t place) {
  if (states_[place] != State::kNew) removed_.push_back(std::exchange(index_[place], kNone));
  states_[place] = State::kNew;
  quiet_ = false;
}

void ChangedPlaces::Remove(std::size_t place) {
  if (states_[place] != State::kNew) removed_.push_back(index_[place]);
  if (place + 1 != index_.size()) {
    index_[place] = index_.back();
    states_[place] = states_.back() == State::kSame ? State::kMoved : states_.back();
  }
  index_.pop_back();
  states_.pop_back();
  quiet_ = false;
}

void ChangedPlaces::Reset(std::vector<std::uint32_t> index) {
  index_ = std::move(index);
  states_.assign(index_.size(), State::kSame);
  removed_.clear();
  quiet_ = true;
}

std::vector<std::uint32_t> ChangedPlaces::Touched() const {
  std::vector<std::uint32_t> out;
  if (quiet_) return out;
  for (std::size_t place = 0; place < states_.size(); ++place) {
    if (states_[place] != State::kSame) out.push_back(static_cast<std::uint32_t>(place));
  }
  return out;
}

void ChangedPlaces::Settle() {
  if (quiet_) return;
  std::ranges::fill(states_, State::kSame);
  removed_.clear();
  quiet_ = true;
}

}  // namespace batholith
