#include "stickslip/convert/notes.h"

#include <fmt/format.h>

#include <algorithm>

namespace stickslip::convert {
namespace {

constexpr size_t kMostNamed = 4;

std::string enumerate(const std::vector<std::string>& subjects) {
  std::string out;
  const size_t named = std::min(subjects.size(), kMostNamed);
  for (size_t i = 0; i < named; ++i) {
    if (i > 0) out += ", ";
    out += subjects[i];
  }
  if (subjects.size() > named) out += fmt::format(" and {} more", subjects.size() - named);
  return out;
}

}  // namespace

void Notes::add(const std::string& code, const Location& where, const std::string& subject,
                const std::string& message) {
  const auto same = [&](const Note& note) { return note.code == code && note.message == message; };
  auto note = std::find_if(notes_.begin(), notes_.end(), same);
  if (note == notes_.end()) note = notes_.insert(notes_.end(), {code, where, message, {}});
  const auto& known = note->subjects;
  if (!subject.empty() && std::find(known.begin(), known.end(), subject) == known.end()) {
    note->subjects.push_back(subject);
  }
}

std::vector<Warning> Notes::list() const {
  std::vector<Warning> out;
  for (const Note& note : notes_) {
    const std::string whom = note.subjects.empty() ? "" : fmt::format(" ({})", enumerate(note.subjects));
    out.push_back({note.code, note.where, note.message + whom});
  }
  return out;
}

}  // namespace stickslip::convert
