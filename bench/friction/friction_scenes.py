"""Scenes of friction with known answers, as text, and the loads that act in them. Tests and benchmarks share them.

SI units. Unless said otherwise one side of a contact is rigid, so that the other's stiffness is the pair's.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, cos, pi, radians, sin, sqrt, tan
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Options = dict[str, Any]

G = 9.81
SIDE = 0.1  # of the cubes, which weigh 1 kg
ANGLE = radians(20)
STEEPNESS = tan(ANGLE)  # the friction that just holds on the slope
STICTION_TOLERANCE = 1e-4  # m/s, the materials' default


# ---------------------------------------------------------------------------------------------------------------- settings
def anchored(*, accuracy: float | None = None, time_step: float | None = None) -> Options:
    """Friction with memory, under error control or with fixed steps."""
    if accuracy is not None:
        return {"method": "cenic", "friction": "anchored", "accuracy": accuracy}
    return {"method": "anchored", "time_step": time_step}


def regularized(*, accuracy: float | None = None, time_step: float | None = None) -> Options:
    if accuracy is not None:
        return {"method": "cenic", "accuracy": accuracy, "friction": "regularized"}
    return {"method": "lagged", "time_step": time_step}


# ------------------------------------------------------------------------------------------------------------------- parts
def listed(values: Any) -> str:
    return "[" + ", ".join(repr(float(x)) for x in values) + "]"


def materials(stiffness: float, dissipation: float, static: float, dynamic: float | None = None) -> str:
    friction = f"{{static: {static!r}, dynamic: {static if dynamic is None else dynamic!r}}}"
    soft = f"{{stiffness: {stiffness!r}, dissipation: {dissipation!r}, friction: {friction}}}"
    return f"materials: {{soft: {soft}, rigid: {{stiffness: .inf, friction: {friction}}}}}"


def cube(name: str, position: Any, extra: str = "") -> str:
    return f"  - {{name: {name}, mass: 1, pose: {{position: {listed(position)}}}, {extra}geometry: [{{box: {{size: {listed([SIDE] * 3)}}}, material: soft}}]}}"


FLOOR = "  - {name: floor, fixed: true, geometry: [{half_space: {}, material: rigid}]}"


def scene(gravity: Any, *lines: str) -> str:
    return "\n".join([f"gravity: {listed(gravity)}", *lines]) + "\n"


LEVEL = (0.0, 0.0, -G)


# ------------------------------------------------------------------------------------------------------------------- slope
SLOPE_STIFFNESS, SLOPE_DISSIPATION = 1e5, 10.0
SLOPE_HEIGHT = SIDE / 2 - G * cos(ANGLE) / SLOPE_STIFFNESS  # of the cube's middle, at its depth of rest: the floor carries it from the start
FEET = [(x, y, -0.045, 0.005) for x in (-0.045, 0.045) for y in (-0.045, 0.045)]  # places and radius


def tilted(angle: float) -> tuple[float, float, float]:
    """Gravity as it is on a slope that falls along x: it is tilted, not the floor."""
    return (G * sin(angle), 0.0, -G * cos(angle))


def slope(friction: float, count: int = 1) -> str:
    """Cubes on a slope of 20 degrees."""
    cubes = [cube(f"box{i}", (0.0, 0.3 * i, SLOPE_HEIGHT)) for i in range(count)]
    return scene(tilted(ANGLE), materials(SLOPE_STIFFNESS, SLOPE_DISSIPATION, friction), "bodies:", *cubes, FLOOR)


def slope_on_feet(friction: float) -> str:
    """The same on four small spheres, which every engine sees as four points; together they are as stiff as the cube."""
    feet = ", ".join(f"{{sphere: {{radius: {r}}}, pose: {{position: {listed(p)}}}, material: soft}}" for *p, r in FEET)
    moment = SIDE**2 / 6
    inertia = f"inertia: {{ixx: {moment!r}, iyy: {moment!r}, izz: {moment!r}}}"
    box = f"  - {{name: box0, mass: 1, center: [0, 0, 0], {inertia}, pose: {{position: [0, 0, {SLOPE_HEIGHT!r}]}}, geometry: [{feet}]}}"
    return scene(tilted(ANGLE), materials(SLOPE_STIFFNESS / 4, SLOPE_DISSIPATION, friction), "bodies:", box, FLOOR)


def slide(friction: float) -> float:
    """Acceleration down the slope [m/s^2]."""
    return G * (sin(ANGLE) - friction * cos(ANGLE))


def regularized_creep(load: float) -> float:
    """Speed [m/s] at which regularised friction, mu N s/sqrt(s^2 + 1) of s = slip/stiction tolerance, carries `load` of what the cone has."""
    return STICTION_TOLERANCE * load / sqrt(1 - load**2)


# -------------------------------------------------------------------------------------------------------------------- belt
@dataclass(frozen=True)
class Belt:
    """A block on a slider with a spring, on a belt that runs. The slider keeps the height, so that the normal force is k times the overlap.

    Sticking, the block goes with the belt until the spring pulls with mu_s N. Then it swings about mu_d N/K, starting D = (mu_s - mu_d) N/K away
    with the belt's speed V:

        x - mu_d N/K = D cos wt + V/w sin wt = R cos(wt - p),     w = sqrt(K/m),  R = sqrt(D^2 + (V/w)^2),  tan p = V/(w D)

    Its speed is V again at wt - p = pi + p, where x - mu_d N/K = -D: it sticks, and has 2 D to go with the belt. One slip passes both ends of the
    swing, so R is the amplitude of the whole. The contact's own spring k_t makes K/k_t of difference, a tenth of a per cent. The block starts where the
    spring is at rest: at mu_d N/K it could slip for ever.
    """

    mass: float = 1.0
    spring: float = 100.0
    speed: float = 0.05
    stiffness: float = 1e5
    overlap: float = 1e-4
    static: float = 0.6
    dynamic: float = 0.4

    @property
    def normal_force(self) -> float:
        return self.stiffness * self.overlap

    @property
    def rate(self) -> float:
        return sqrt(self.spring / self.mass)

    @property
    def drop(self) -> float:
        return (self.static - self.dynamic) * self.normal_force / self.spring

    @property
    def amplitude(self) -> float:
        return sqrt(self.drop**2 + (self.speed / self.rate) ** 2)

    @property
    def period(self) -> float:
        return 2 * self.drop / self.speed + (pi + 2 * atan(self.speed / (self.rate * self.drop))) / self.rate

    def text(self) -> str:
        block = f"  - {{name: block, mass: {self.mass}, geometry: [{{box: {{size: {listed([SIDE] * 3)}}}, material: soft}}]}}"
        place = f"pose: {{position: [0, 0, {-0.05!r}]}}"
        belt = f"  - {{name: belt, fixed: true, geometry: [{{box: {{size: [4, 1, 0.1]}}, {place}, surface_velocity: [{self.speed}, 0, 0], material: rigid}}]}}"
        height = SIDE / 2 - self.overlap
        slider = f"  - {{name: slider, type: prismatic, child: block, axis: [1, 0, 0], pose: {{position: [0, 0, {height!r}]}}, stiffness: {self.spring}}}"
        return scene(LEVEL, materials(self.stiffness, 10.0, self.static, self.dynamic), "bodies:", block, belt, "joints:", slider)


# -------------------------------------------------------------------------------------------------------------- oscillator
@dataclass(frozen=True)
class Oscillator:
    """A block on a slider with a spring K, and a contact that never slips: m u'' + c u' + (K + k_t) u = -K x0 with u = x - x0 and k_t = k.

    The contact's spring is at rest where the run starts, at x0. Its damping is c = k_t d times the overlap. The slider keeps the overlap.
    """

    mass: float = 1.0
    spring: float = 500.0
    stiffness: float = 1e3
    overlap: float = 0.01
    dissipation: float = 0.2
    friction: float = 0.5
    start: float = 0.005

    @property
    def largest_force(self) -> float:
        """Of friction: the first swing goes twice as far as the middle. As a part of the cone."""
        return self.stiffness * 2 * self.spring * self.start / (self.spring + self.stiffness) / (self.friction * self.stiffness * self.overlap)

    def position(self, t: Array | float) -> Any:
        damping = self.stiffness * self.dissipation * self.overlap / (2 * self.mass)
        rate = sqrt((self.spring + self.stiffness) / self.mass - damping**2)
        middle = -self.spring * self.start / (self.spring + self.stiffness)
        swing = np.exp(-damping * np.asarray(t)) * (np.cos(rate * np.asarray(t)) + damping / rate * np.sin(rate * np.asarray(t)))
        return self.start + middle * (1 - swing)

    def text(self) -> str:
        block = f"  - {{name: block, mass: {self.mass}, geometry: [{{box: {{size: {listed([SIDE] * 3)}}}, material: soft}}]}}"
        slider = (
            f"  - {{name: slider, type: prismatic, child: block, axis: [1, 0, 0], pose: {{position: [0, 0, {SIDE / 2 - self.overlap!r}]}}, "
            f"stiffness: {self.spring}, position: {self.start}}}"
        )
        return scene(LEVEL, materials(self.stiffness, self.dissipation, self.friction), "bodies:", block, FLOOR, "joints:", slider)


# --------------------------------------------------------------------------------------------------------- ball, disc, stack
ROLL_SPEED = 0.5


def roll(dissipation: float) -> str:
    """A ball of 5 cm radius and 1 kg that rolls at its depth of rest. Contact is on the rigid floor's surface: the arm is radius - depth."""
    radius, depth = 0.05, G / 1e5
    motion = f"velocity: {{linear: [{ROLL_SPEED}, 0, 0], angular: [0, {ROLL_SPEED / (radius - depth)!r}, 0]}}"
    ball = f"  - {{name: ball, mass: 1, pose: {{position: [0, 0, {radius - depth!r}]}}, {motion}, geometry: [{{sphere: {{radius: {radius}}}, material: soft}}]}}"
    return scene(LEVEL, materials(1e5, dissipation, 0.5), "bodies:", ball, FLOOR)


DISC_RADIUS, DISC_SPIN, DISC_FRICTION = 0.05, 60.0, 0.3


def disc() -> str:
    """A flat cylinder that spins on its face, at its depth of rest. Its manifold has eight points on the rim, with an eighth of the weight each."""
    shape = f"{{cylinder: {{radius: {DISC_RADIUS}, length: 0.02}}, material: soft}}"
    height = 0.01 - G / 1e5
    puck = f"  - {{name: disc, mass: 1, pose: {{position: [0, 0, {height!r}]}}, velocity: {{angular: [0, 0, {DISC_SPIN}]}}, geometry: [{shape}]}}"
    return scene(LEVEL, materials(1e5, 10.0, DISC_FRICTION), "bodies:", puck, FLOOR)


def disc_stops() -> float:
    """All friction mu m g acts at the rim, R away from the axis, on I = m R^2/2: w0 I/(mu m g R) [s]."""
    return DISC_SPIN * DISC_RADIUS / (2 * DISC_FRICTION * G)


def stack(count: int = 10, angle: float = radians(1)) -> str:
    """Cubes on each other and on the floor, all of one material of 2e6 N/m: 1e6 N/m a pair. Tilted, so that friction has something to do.

    At 1e5 N/m a pair the stack would be near buckling. With this dissipation its slowest swing falls by a factor of 3 a second.
    """
    cubes = [cube(f"box{i}", (0.0, 0.0, SIDE / 2 + SIDE * i)) for i in range(count)]
    return scene(tilted(angle), materials(2e6, 100.0, 0.5), "bodies:", *cubes, FLOOR.replace("rigid", "soft"))


# ------------------------------------------------------------------------------------------------------------------- loads
LOADED_STIFFNESS, LOADED_FRICTION = 1e5, 0.5
RAMP = 0.5  # s


def loaded() -> str:
    """A cube at its depth of rest, for loads from outside."""
    return scene(LEVEL, materials(LOADED_STIFFNESS, 10.0, LOADED_FRICTION), "bodies:", cube("box0", (0, 0, SIDE / 2 - G / LOADED_STIFFNESS)), FLOOR)


def ramp(t: float) -> tuple[float, float]:
    """From 0 to 1, and its rate."""
    s = min(1.0, t / RAMP)
    return s * s * (3 - 2 * s), 6 * s * (1 - s) / RAMP if s < 1 else 0.0


def at_the_base(force: Array, torque: float) -> Array:
    """On the six velocities of the cube: a level force in the plane of contact, which presses no corner more than another, and a torque about z."""
    arm = SIDE / 2
    return np.array([force[0], force[1], 0.0, arm * force[1], -arm * force[0], torque])


def rotating_load(size: float, turn: float) -> Any:
    """A force that turns once in `turn` seconds."""
    import stickslip as ss

    rate = 2 * pi / turn

    def both(t: float) -> tuple[Array, Array]:
        (s, growth), angle = ramp(t), rate * t
        along, across = np.array([cos(angle), sin(angle)]), np.array([-sin(angle), cos(angle)])
        return size * s * along, size * (growth * along + s * rate * across)

    return ss.System(
        output=lambda t, q, v, z: at_the_base(both(t)[0], 0.0), jacobians=lambda t, q, v, z: {"g_t": at_the_base(both(t)[1], 0.0)}, name="rotating load"
    )


def combined_load(force: float, torque: float, depth: float = 0.0, period: float = 1.0) -> Any:
    """A force along x and a torque about z, which fall together by the part `depth` and return once a period."""
    import stickslip as ss

    rate = 2 * pi / period

    def size(t: float) -> tuple[float, float]:
        s, growth = ramp(t)
        swing = 1 - depth * (1 - cos(rate * t)) / 2
        return s * swing, growth * swing - s * depth * rate * sin(rate * t) / 2

    def load(part: float) -> Array:
        return at_the_base(np.array([part * force, 0.0]), part * torque)

    return ss.System(output=lambda t, q, v, z: load(size(t)[0]), jacobians=lambda t, q, v, z: {"g_t": load(size(t)[1])}, name="combined load")


def limit_load(force: float, torque: float) -> float:
    """How many times this force along x and torque about z four corners can bear that carry a quarter of the weight each.

    By the kinematic theorem: of all motions (u_x, u_y, w) the least of what friction takes over what the load gives, sum of mu N/4 |u + w x r_i| over
    F u_x + T w. Mirrored in x and reversed, a motion keeps u_x and w and turns u_y round, at the same cost; by convexity the worst has u_y = 0.
    """
    corners = SIDE / 2 * np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)])
    share = np.linspace(0.0, 1.0, 20001)[:, None]
    along, spin = share * SIDE, 1 - share  # of u_x [m/s] and w [rad/s]
    speed = np.hypot(along - spin * corners[:, 1], spin * corners[:, 0]).sum(axis=1)
    given = (force * along + torque * spin)[:, 0]
    moves = given > 0
    return float(np.min(LOADED_FRICTION * G / 4 * speed[moves] / given[moves]))


# ------------------------------------------------------------------------------------------------------- carried and swung
TURNTABLE_RADIUS = 0.1  # of the cube's way


def turntable(spin: float) -> str:
    """A cube that goes round with a table, at its depth of rest. The cone bears mu g = 4.9 m/s^2, the way asks for spin^2 r, 0.9 at 3 rad/s."""
    table = f"  - {{name: table, motion: {{axis: [0, 0, 1], rotate: true, velocity: {spin}}}, geometry: [{{box: {{size: [1, 1, 0.1]}}, material: rigid}}]}}"
    motion = f"velocity: {{linear: [0, {spin * TURNTABLE_RADIUS!r}, 0], angular: [0, 0, {spin}]}}, "
    box = cube("box0", (TURNTABLE_RADIUS, 0, 0.05 + SIDE / 2 - G / 1e5), motion)
    return scene(LEVEL, materials(1e5, 10.0, 0.5), "bodies:", box, table)


SWING, SWING_ARM, SWING_MASS, SWING_OVERLAP = 0.5, 0.2, 0.3, 2e-4  # rad, m, kg, m


def swing() -> str:
    """Two plates on an arm that swings about the y axis by half a radian once a second, and a box between them, pressed with k times the overlap, 20 N.

    The box needs at most m (g + 0.5 (2 pi)^2 0.2 m) = 4.1 N of the 20 N that the two sides bear. `put_in_hand` places it.
    """
    gap = SIDE + 0.01 - 2 * SWING_OVERLAP  # between the middles of the plates
    plates = ", ".join(f"{{box: {{size: [0.2, 0.01, 0.2]}}, pose: {{position: [0, {s * gap / 2!r}, {-SWING_ARM}]}}, material: rigid}}" for s in (-1, 1))
    hand = f"  - {{name: hand, motion: {{axis: [0, 1, 0], rotate: true, amplitude: {SWING}, frequency: 1, phase: {-pi / 2!r}}}, geometry: [{plates}]}}"
    box = f"  - {{name: box0, mass: {SWING_MASS}, geometry: [{{box: {{size: {listed([SIDE] * 3)}}}, material: soft}}]}}"
    return scene(LEVEL, materials(1e5, 10.0, 0.5), "bodies:", box, hand)


def put_in_hand(sim: Any) -> None:
    """The box of `swing` between the plates, where the hand is at the start: at rest at the end of its swing."""
    hand = sim.body("hand")
    sim.q[:3] = (hand.pose @ [0, 0, -SWING_ARM, 1])[:3]
    sim.q[3:] = hand.quaternion


def seen_from(sim: Any, carrier: str, body: str) -> Array:
    """Where a body is in the frame of another."""
    X_WC, X_WB = sim.body(carrier).pose, sim.body(body).pose
    return np.array(X_WC[:3, :3].T @ (X_WB[:3, 3] - X_WC[:3, 3]))
