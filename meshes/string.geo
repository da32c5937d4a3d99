// SPDX-License-Identifier: LGPL-2.1-or-later
// A string of unit length along x, to be clamped at both ends. Units: m.
//
// Physical points: 1 left end, 2 right end. Physical line: 1 string.
// Its middle is a vertex.
//
//   gmsh -1 -format msh22 string.geo -o string.msh
SetFactory("Built-in");
length = 1;
n_elements = 40;  // even, so that there is a vertex in the middle

Point(1) = {0, 0, 0};
Point(2) = {length, 0, 0};
Line(1) = {1, 2};
Transfinite Curve {1} = n_elements + 1;

Physical Point(1) = {1};
Physical Point(2) = {2};
Physical Curve(1) = {1};
