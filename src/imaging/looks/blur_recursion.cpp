#include <cmath>
#include <numbers>

#include "imaging/looks/definition.hpp"

namespace tessera::imaging::looks {
namespace {

using Three = std::array<double, 3>;

double determinant(const Three& a, const Three& b, const Three& c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Rows times the solution are the right side (Cramer's rule).
Three solved(const std::array<Three, 3>& rows, const Three& right) {
    const double whole = determinant(rows[0], rows[1], rows[2]);
    Three solution{};
    for (std::size_t column = 0; column < 3; ++column) {
        std::array<Three, 3> replaced = rows;
        for (std::size_t row = 0; row < 3; ++row) replaced[row][column] = right[row];
        solution[column] = determinant(replaced[0], replaced[1], replaced[2]) / whole;
    }
    return solution;
}

}  // namespace

// Three cosines that end in zero at the radius, weighed so that their sum, variance and spectrum are those of the
// gaussian.
BlurRecursion blur_recursion() {
    constexpr double radius = blur_radius;  // 3.2795 sigma + 0.2546, rounded
    Three omega{};
    Three p{};
    Three r{};
    Three rho{};
    for (std::size_t k = 0; k < 3; ++k) {
        omega[k] = std::numbers::pi / (2 * radius) * (2 * static_cast<double>(k) + 1);
        const double sign = k == 1 ? -1 : 1;
        const double cotangent = 1 / std::tan(omega[k] / 2);
        p[k] = sign * cotangent;
        r[k] = sign * cotangent * cotangent / std::sin(omega[k]);
        rho[k] = std::exp(-0.5 * blur_sigma * blur_sigma * omega[k] * omega[k]) / radius;
    }
    const double d13 = p[0] * r[1] - r[0] * p[1];
    const double d35 = p[1] * r[2] - r[1] * p[2];
    const double d51 = p[2] * r[0] - r[2] * p[0];
    const Three zeta{d35 / d13, d51 / d13, 1};
    const Three right{1, radius * radius - blur_sigma * blur_sigma,
                      zeta[0] * rho[0] + zeta[1] * rho[1] + zeta[2] * rho[2]};
    const Three beta = solved({p, r, zeta}, right);

    BlurRecursion recursion;
    for (std::size_t k = 0; k < 3; ++k) {
        recursion.gain.at(k) = static_cast<float>(-beta[k] * std::cos(omega[k] * (radius + 1)));
        recursion.turn.at(k) = static_cast<float>(2 * std::cos(omega[k]));
    }
    return recursion;
}

}  // namespace tessera::imaging::looks
