// SPDX-License-Identifier: LGPL-2.1-or-later
// A rubber block that lies on a support, clamped on the left, in the plane. Units: m.
//
//   y        pressed down (3)
//   ^  +--------------------------------+
//   |  |  rubber                        |
//   |  |                                |
//   |  +--------------------------------+
//   |  |  lining                        |  --> x
//      +--------------------------------+
//   clamped (1)       rubs (2)
//
// Physical surfaces: 1 rubber, 2 lining. Physical lines: 1 clamped end, 2 rubbing side, 3 loaded side; the other
// end is free (0). Structured quadrilaterals.
//
//   gmsh -2 -format msh22 friction-beam.geo -o friction-beam.msh
SetFactory("Built-in");
length = 0.200;
lining = 0.002;
height = 0.020;
n_length = 60;  // elements along the beam
n_lining = 1;   // elements through the lining
n_rubber = 4;   // elements through the rubber

// Corners of the layers, from below: x = 0 and x = length.
y[] = {0, lining, height};
For i In {0 : 2}
  Point(1 + i) = {0, y[i], 0};
  Point(11 + i) = {length, y[i], 0};
  Line(1 + i) = {1 + i, 11 + i};  // along the beam
  Transfinite Curve {1 + i} = n_length + 1;
EndFor
For i In {0 : 1}
  Line(11 + i) = {1 + i, 2 + i};    // clamped
  Line(21 + i) = {11 + i, 12 + i};  // free
  n = n_lining;
  If (i == 1)
    n = n_rubber;
  EndIf
  Transfinite Curve {11 + i, 21 + i} = n + 1;
  Curve Loop(1 + i) = {1 + i, 21 + i, -(2 + i), -(11 + i)};
  Plane Surface(1 + i) = {1 + i};
EndFor

Transfinite Surface "*";
Recombine Surface "*";

Physical Curve(1) = {11, 12};
Physical Curve(2) = {1};
Physical Curve(3) = {3};
Physical Surface(1) = {2};
Physical Surface(2) = {1};
