// SPDX-License-Identifier: LGPL-2.1-or-later
// A piezoelectric bar, x along its length, y through its thickness (the poling direction). Units: m.
//
// Physical lines: 1 lower electrode (y = 0), 2 right end, 3 upper electrode (y = thickness), 4 left end.
// Physical surface: 1 ceramic. Structured quadrilaterals.
//
//   gmsh -2 -format msh22 piezo-bar.geo -o piezo-bar.msh
SetFactory("Built-in");
length = 40e-3;
thickness = 1e-3;
n_length = 40;
n_thickness = 2;

Point(1) = {0, 0, 0};
Point(2) = {length, 0, 0};
Point(3) = {length, thickness, 0};
Point(4) = {0, thickness, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = n_length + 1;
Transfinite Curve {2, 4} = n_thickness + 1;
Transfinite Surface {1};
Recombine Surface {1};

Physical Curve(1) = {1};
Physical Curve(2) = {2};
Physical Curve(3) = {3};
Physical Curve(4) = {4};
Physical Surface(1) = {1};
