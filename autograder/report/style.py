"""The style sheet of the instructor's pages.

- The colours are the course's (`kqa_core.show.kit.theme`), on the dark ground its brighter ones, and none says anything alone.
- Light and dark follow the reader. Paper is always light, shows every folded list, and leaves out what is for the screen alone.
"""

from __future__ import annotations

from kqa_core.show.kit import theme
from kqa_core.show.kit.palette import GREEN, ORANGE, VERMILION


def _ground(colours: dict[str, str]) -> str:
    """What all pages and widgets share: the ink, the grounds, the lines, and the colour that stands out."""
    shared = "".join(f"--{name}:{colours[name]};" for name in ("ink", "paper", "soft", "line", "quiet"))
    return f"{shared}--bar:{colours['focus']};"


LIGHT = f"""color-scheme:light;{_ground(theme.LIGHT)}
--rest:#dde3e8;--right:{GREEN};--wrong:{VERMILION};--wait:{ORANGE};--mark:#ffefb8;--link:#00558a"""
DARK = f"""color-scheme:dark;{_ground(theme.DARK)}
--rest:#343a41;--mark:#574812;--link:#8ecdf5"""
RULES = """
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto 5rem;padding:0 1.2rem;color:var(--ink);
  background:var(--paper)}
body.narrow{max-width:56rem}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .4rem}
h2{font-size:1.25rem;margin:3rem 0 .6rem;padding-top:.6rem;border-top:2px solid var(--ink)}
h3{font-size:1.02rem;margin:1.8rem 0 .3rem}
a{color:var(--link)}
p{margin:.4rem 0;max-width:46rem}
ul{margin:.3rem 0;padding-left:1.2rem}
table{border-collapse:collapse;width:100%;margin:.5rem 0;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--quiet);font-size:.9rem;padding-bottom:.2rem}
th,td{text-align:left;vertical-align:top;padding:.32rem .9rem .32rem 0;border-bottom:1px solid var(--line)}
th{font-weight:600;border-bottom-color:var(--quiet);vertical-align:bottom;font-size:.9rem;line-height:1.3}
.n{text-align:right}
td.n{white-space:nowrap}
.wide{overflow-x:auto}
small,.quiet{color:var(--quiet);font-size:.88em}
.nowrap{white-space:nowrap}
.dot{display:inline-block;width:.62em;height:.62em;margin-right:.45em;border-radius:50%;background:var(--rest);
  border:1px solid var(--quiet)}
.dot.right{background:var(--right);border-color:var(--right)}
.dot.wrong{background:var(--wrong);border-color:var(--wrong);border-radius:0}
.dot.wait{background:var(--wait);border-color:var(--wait);border-radius:50% 0}
summary{cursor:pointer;padding:.22rem 0}
summary:focus-visible,a:focus-visible,.wide:focus-visible{outline:2px solid var(--bar);outline-offset:2px}
details details{margin-left:1.1rem}
details>:not(summary,details){margin-left:1.1rem}
.drill>details{border-bottom:1px solid var(--line)}
pre{background:var(--soft);padding:.6rem .8rem;margin:.4rem 0 .8rem;font:.82rem/1.45 ui-monospace,monospace;
  white-space:pre-wrap;overflow-wrap:anywhere;border-radius:3px}
.line{display:block;min-height:1.45em}
.line.mark{background:var(--mark);box-shadow:-3px 0 var(--wait)}
.flag{border:1px solid var(--quiet);border-radius:3px;padding:0 .35rem;font-size:.85rem;white-space:nowrap}
.head{display:flex;flex-wrap:wrap;gap:1rem 2.5rem;align-items:flex-start}
.two{display:grid;grid-template-columns:1fr 1fr;gap:0 1.2rem}
.two>*{min-width:0}
svg{display:block;max-width:100%}
td svg{max-width:none}
svg text{fill:var(--ink);font:12px system-ui,sans-serif}
svg .quiet{fill:var(--quiet)}
.bar{fill:var(--bar)}
.rest{fill:var(--rest)}
.whisker{stroke:var(--ink);stroke-width:1.5}
.axis{stroke:var(--quiet);stroke-width:1}
@media screen and (max-width:44rem){.two{grid-template-columns:1fr}
.narrow thead{display:none}
.narrow tr{display:block;padding:.5rem 0;border-bottom:1px solid var(--line)}
.narrow td{display:inline;border:0;padding-right:.6rem}
.narrow td:last-child{display:block}}
@media print{body{margin:0;max-width:none;padding:0;font-size:10.5pt}
.screen{display:none}
tr,svg,.keep{break-inside:avoid}
h2,h3{break-after:avoid}
.wide{overflow:visible}
table{font-size:8.5pt}
th,td{padding-right:.45rem}
th{font-size:7.5pt}
.head{flex-wrap:nowrap}
.head svg{width:9.5cm;height:auto}
h2{margin-top:1.6rem}
a{color:inherit;text-decoration:none}
svg,.dot,.line.mark{print-color-adjust:exact;-webkit-print-color-adjust:exact}
details::details-content{content-visibility:visible;block-size:auto}
summary{list-style:none}}
"""
STYLE = f":root{{{LIGHT}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{DARK}}}}}{RULES}"
