// SPDX-License-Identifier: LGPL-2.1-or-later
#include "page_style.h"

namespace halfdof::cli {

const char* const page_style = R"css(
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 84rem; padding: 1rem clamp(0.8rem, 3vw, 2.5rem) 3rem; background: #fff;
  color: #1c1c1c; font: 16px/1.5 system-ui, "DejaVu Sans", Arial, sans-serif; }
h1 { margin: 0.5rem 0; font-size: clamp(1.4rem, 4vw, 2rem); line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 2.2rem 0 0.6rem; padding-bottom: 0.2rem; border-bottom: 2px solid #0072b2; font-size: 1.35rem; }
h3 { margin: 1.4rem 0 0.4rem; font-size: 1.05rem; }
p, li, figcaption, caption { max-width: 60rem; overflow-wrap: anywhere; }
a { color: #005a8c; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.2rem 1.1rem; margin: 0.6rem 0; padding: 0; list-style: none; }
.scroll { overflow-x: auto; margin: 0.8rem 0; }
table { border-collapse: collapse; font-size: 0.92rem; font-variant-numeric: tabular-nums; }
caption { padding: 0.2rem 0; text-align: left; color: #444; }
caption span { display: inline-block; max-width: min(60rem, calc(100vw - 1.8rem)); }
th, td { padding: 0.22rem 0.7rem 0.22rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid #ddd; }
th { border-bottom: 1px solid #666; font-weight: 600; }
.number { text-align: right; white-space: nowrap; }
td:not(.number) { min-width: 6.5rem; overflow-wrap: anywhere; }
figure { margin: 1rem 0; }
figcaption { margin-top: 0.3rem; color: #333; font-size: 0.92rem; }
.pictures { display: grid; gap: 0.8rem; }
svg { display: block; height: auto; }
@media print {
  @page { margin: 16mm 14mm; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav { display: none; }
  h2, h3, caption { break-after: avoid; }
  tr, .pictures > div { break-inside: avoid; }
  figcaption { break-before: avoid; }
  .pictures { grid-template-columns: 1fr 1fr !important; }
  .pictures > div:only-child { grid-column: 1 / -1; }
  thead { display: table-header-group; }
  .scroll { overflow: visible; }
  table { font-size: 8.5pt; }
  a { color: inherit; text-decoration: none; }
}
)css";

}  // namespace halfdof::cli
