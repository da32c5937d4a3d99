// SPDX-License-Identifier: LGPL-2.1-or-later
// A cantilever of steel, polymer and steel with a tip mass on a joint, in the plane. Units: m.
//
//   y
//   ^                                                      +--------+
//   |                                                      |        |
//   +======================================================+  tip   |
//   |  constraining sheet (steel)                          |  mass  |
//   |  damping layer (polymer)                             | (steel)|
//   |  base sheet (steel)                            +joint+        |
//   +================================================+=====+        |  --> x
//   clamped                                                +--------+
//
// (the joint continues the base sheet; the two upper layers end where it begins)
//
// Physical surfaces: 1 steel, 2 polymer, 3 joint. Physical line: 1 clamped end; all other boundaries are free (0).
//
//   gmsh -2 -format msh22 sandwich-beam.geo -o sandwich-beam.msh
SetFactory("Built-in");
length = 0.300;
base = 0.003;
polymer = 0.003;
sheet = 0.002;
joint = 0.006;
mass = 0.020;       // edge of the square tip mass, in the middle of which the joint ends
n_length = 60;      // elements along the beam
n_joint = 4;        // elements along the joint
n_thickness = 2;    // elements through base sheet and joint
n_mass = 4;         // elements along the tip mass

// Corners of the layers, from below: x = 0 and x = length.
y[] = {0, base, base + polymer, base + polymer + sheet};
For i In {0 : 3}
  Point(1 + i) = {0, y[i], 0};
  Point(11 + i) = {length, y[i], 0};
  Line(1 + i) = {1 + i, 11 + i};  // along the beam
  Transfinite Curve {1 + i} = n_length + 1;
EndFor
For i In {0 : 2}
  Line(11 + i) = {1 + i, 2 + i};    // clamped
  Line(21 + i) = {11 + i, 12 + i};  // at the tip
  n = 1;
  If (i == 0)
    n = n_thickness;
  EndIf
  Transfinite Curve {11 + i, 21 + i} = n + 1;
  Curve Loop(1 + i) = {1 + i, 21 + i, -(2 + i), -(11 + i)};
  Plane Surface(1 + i) = {1 + i};
EndFor

// The joint and, right of it, the tip mass in three pieces.
overhang = (mass - base) / 2;
z[] = {-overhang, 0, base, base + overhang};
For i In {0 : 3}
  Point(31 + i) = {length + joint, z[i], 0};
  Point(41 + i) = {length + joint + mass, z[i], 0};
  Line(31 + i) = {31 + i, 41 + i};  // along the tip mass
  Transfinite Curve {31 + i} = n_mass + 1;
EndFor
For i In {0 : 2}
  Line(41 + i) = {31 + i, 32 + i};  // side of the joint
  Line(51 + i) = {41 + i, 42 + i};  // free side
  n = n_thickness;
  Transfinite Curve {41 + i, 51 + i} = n + 1;
  Curve Loop(11 + i) = {31 + i, 51 + i, -(32 + i), -(41 + i)};
  Plane Surface(11 + i) = {11 + i};
EndFor
Line(61) = {11, 32};
Line(62) = {12, 33};
Transfinite Curve {61, 62} = n_joint + 1;
Curve Loop(21) = {61, 42, -62, -21};
Plane Surface(21) = {21};

Transfinite Surface "*";
Recombine Surface "*";

Physical Curve(1) = {11, 12, 13};
Physical Surface(1) = {1, 3, 11, 12, 13};
Physical Surface(2) = {2};
Physical Surface(3) = {21};
