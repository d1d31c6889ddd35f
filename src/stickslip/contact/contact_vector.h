#pragma once

// Velocities, impulses and their derivatives in a contact's frame: two tangents and the normal.
namespace stickslip {

template <typename T>
struct ContactVector {
  T x{}, y{}, n{};
};

// Symmetric 3 x 3.
template <typename T>
struct ContactMatrix {
  T xx{}, yy{}, nn{}, xy{}, xn{}, yn{};
};

template <typename T>
T dot(const ContactVector<T>& a, const ContactVector<T>& b) {
  return a.x * b.x + a.y * b.y + a.n * b.n;
}

// a + s b
template <typename T>
ContactVector<T> advanced(const ContactVector<T>& a, const T& s, const ContactVector<T>& b) {
  return {a.x + s * b.x, a.y + s * b.y, a.n + s * b.n};
}

// u' G u
template <typename T>
T quadratic_form(const ContactMatrix<T>& G, const ContactVector<T>& u) {
  return G.xx * u.x * u.x + G.yy * u.y * u.y + G.nn * u.n * u.n +
         2.0 * (G.xy * u.x * u.y + u.n * (G.xn * u.x + G.yn * u.y));
}

}  // namespace stickslip
