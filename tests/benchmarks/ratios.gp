# SPDX-License-Identifier: LGPL-2.1-or-later
# Ratios as bars from 1 on a logarithmic axis, each beside its goal, from the table that benchmark_summary writes for this:
#   gnuplot -c ratios.gp ratios.dat ratios.png
table = ARG1
set datafile separator tab
stats table using 2 nooutput
n = STATS_records
set terminal pngcairo size 1400, 110 + 17 * n font "sans,9" noenhanced
set output ARG2
set title "theirs/ours of one run: the farther to the right, the faster halfdof"
set key outside top center horizontal
set logscale x
set xlabel "ratio"
set format x "%g"
set grid xtics
set yrange [n - 0.4 : -0.6]
set ytics nomirror scale 0
set style fill solid 0.8 noborder
set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb "#404040"
verdicts = "met missed disagree none"
colours = "#3a7d44 #d98e04 #b3261e #8a8f98"
lower(x) = x < 1 ? x : 1
upper(x) = x < 1 ? 1 : x
plot for [v = 1:4] table \
       using ($4 == v ? $2 : NaN):0:(lower($2)):(upper($2)):($0 - 0.35):($0 + 0.35) \
       with boxxyerror lc rgb word(colours, v) title (v < 4 ? word(verdicts, v) : "without goal"), \
     table using ($3 > 0 ? $3 : NaN):($0 - 0.45):(0):(0.9) with vectors nohead lw 2 lc rgb "black" title "goal", \
     table using (1):0:ytic(1) with points pt -2 notitle
