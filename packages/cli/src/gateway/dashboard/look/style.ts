/** Every pair of colours has a contrast of 4.5 to 1 or more, by day and by night. */
const colours = `
:root { --ink: #18222c; --soft: #55626f; --line: #dfe4e9; --paper: #f6f7f9; --card: #fff; --edge: #85919d;
  --hover: #f1f5f9; --accent: #2453a6; --on-accent: #fff; --good: #14633a; --good-tint: #e3f4ea; --bad: #a11d2b;
  --bad-tint: #fdebec; --wait: #6d4a00; --wait-tint: #fdf1d8; --focus: #3d82e0; color-scheme: light; }
@media (prefers-color-scheme: dark) {
:root { --ink: #e3e9ef; --soft: #a3b0bd; --line: #2a3642; --paper: #0f151b; --card: #161e26; --edge: #708090;
  --hover: #1c2731; --accent: #8fb8f5; --on-accent: #0b1622; --good: #82d6a5; --good-tint: #14301f; --bad: #ffa19b;
  --bad-tint: #3b1b1f; --wait: #ebc876; --wait-tint: #33280f; --focus: #6ba4f2; color-scheme: dark; }
}
`

/** One scale of sizes: 12, 13, 14, 16 and 22 pixels where a person has not chosen others. */
const text = `
* { box-sizing: border-box; }
/* The script says how high the header is where it wraps. */
html { --header: 2.75rem; scroll-padding-top: calc(var(--header) + 1rem); } #q { scroll-margin-top: 10rem; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: .875rem/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; min-height: 100vh; display: flex; flex-direction: column; }
h1 { font-size: 1.375rem; line-height: 1.25; font-weight: 680; letter-spacing: -.01em; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1rem; line-height: 1.3; font-weight: 650; margin: 0 0 .6rem; }
h3 { font-size: .8125rem; margin: 1rem 0 .3rem; } :is(h1, h2)[tabindex] { width: fit-content; }
p { margin: 0 0 .6rem; } ul { margin: .3rem 0 0; padding-left: 1.1rem; }
.soft, .empty { color: var(--soft); } .empty { margin: 0; padding: .5rem 0; }
a { color: var(--accent); text-underline-offset: .15em; } a:hover { text-decoration-thickness: 2px; }
code, pre, kbd { font: .8125rem/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { background: var(--paper); border: 1px solid var(--line);
  border-radius: .4rem; padding: .6rem .8rem; margin: 0; white-space: pre-wrap; }
kbd { border: 1px solid var(--edge); border-radius: .25rem; padding: 0 .3rem; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`

const frame = `
.skip { position: absolute; left: -100rem; } .skip:focus { left: .5rem; top: .5rem; background: var(--card); padding: .5rem; z-index: 3; }
header, footer, main { padding-inline: clamp(.75rem, 2.5vw, 2rem); }
header { background: var(--card); border-bottom: 1px solid var(--line); display: flex;
  flex-wrap: wrap; align-items: center; gap: 0 1.6rem; position: sticky; top: 0; z-index: 2; }
header p { margin: 0; padding-block: .55rem; } .name a { color: inherit; font-weight: 700; text-decoration: none; }
.name a::before { content: ''; display: inline-block; width: .7em; height: .7em;
  margin-inline-end: .5em; border-radius: .2em; background: var(--accent); }
header nav { display: flex; gap: 0 1.2rem; overflow-x: auto; }
header nav a { color: var(--soft); text-decoration: none; white-space: nowrap;
  padding: .7rem .1rem calc(.7rem - 2px); border-bottom: 2px solid transparent; }
header nav a:hover { color: var(--ink); } header nav a[aria-current] { color: var(--ink); font-weight: 650; border-color: var(--accent); }
header nav a:focus-visible { outline-offset: -3px; }
.connection { margin-inline-start: auto; display: flex; gap: .7rem; align-items: center; color: var(--soft); }
header .connection { padding-block: .3rem; } .connection button { min-height: 1.75rem; padding: .1rem .7rem; }
#connection::before { content: ''; display: inline-block; width: .55rem; height: .55rem;
  margin-inline-end: .45rem; border-radius: 50%; border: 2px solid var(--soft); }
#connection[data-kind=live]::before { background: var(--good); border-color: var(--good); }
#connection[data-kind=lost]::before { background: var(--bad); border-color: var(--bad); border-radius: 0; }
main > p { margin: -.5rem 0 0; }
main { flex: 1; padding-block: 1.1rem 2rem; display: grid; gap: 1rem; align-content: start; width: 100%; max-width: 104rem; }
footer { border-top: 1px solid var(--line); color: var(--soft); padding-block: .8rem;
  font-size: .8125rem; display: flex; flex-wrap: wrap; gap: .2rem 1.5rem; }
footer p { margin: 0; } footer code { font-size: .75rem; }
.to-controls { margin: 0; } @media (min-width: 64rem) { main > .to-controls { display: none; } }
.columns { display: grid; gap: 1rem 1.4rem; align-items: start; }
.columns > div, .columns > aside { display: grid; gap: 1rem; min-width: 0; }
@media (min-width: 64rem) { .columns { grid-template-columns: minmax(0, 1fr) 19rem; } }
section { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .9rem 1rem; min-width: 0; }
aside section { padding: .8rem .9rem; } aside h2 { font-size: .875rem; }
.notice, .problem { padding: .55rem .9rem; border-radius: .3rem; margin: 0; max-width: 70rem; overflow-wrap: anywhere; }
.notice, main > .problem { margin: 0; } .notice { border-left: .3rem solid var(--good); background: var(--good-tint); }
.problem { border-left: .3rem solid var(--bad); background: var(--bad-tint); }
section > .problem, [data-live] > .problem { margin-bottom: .6rem; }
@media (max-width: 40rem) { header nav { order: 1; width: 100%; gap: 0 .9rem; font-size: .8125rem; } section { padding: .75rem .7rem; } }
`

const lists = `
.scroll { overflow-x: auto; margin-inline: -.4rem; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: start; padding: .35rem .4rem; border-top: 1px solid var(--line); vertical-align: baseline; }
thead th { border: 0; font-size: .75rem; font-weight: 600; color: var(--soft); white-space: nowrap; padding-block: 0 .3rem; }
tbody th { font-weight: 500; overflow-wrap: anywhere; min-width: 5.5rem; }
tbody tr:hover > * { background: var(--hover); }
tbody th a { text-decoration: none; display: inline-block; vertical-align: top; } tbody th a:hover { text-decoration: underline; }
.end { text-align: end; white-space: nowrap; } .fit { width: 1%; white-space: nowrap; }
td > a { overflow-wrap: anywhere; } .scroll td > code { display: block; min-width: 8rem; }
time, .money { white-space: nowrap; } td time { color: var(--soft); }
.number { display: inline-block; min-width: 2.4ch; margin-inline-end: .35rem; color: var(--soft); text-align: end; }
.why { color: var(--soft); font-size: .8125rem; overflow-wrap: anywhere; max-width: 46rem; }
.mark { display: inline-block; white-space: nowrap; font-size: .8125rem;
  font-weight: 600; line-height: 1.4; padding: 0 .45rem; border: 1px solid transparent; }
.mark.good { color: var(--good); background: var(--good-tint); border-radius: 1rem; }
.mark.bad, .mark.gone { color: var(--bad); background: var(--bad-tint); border-radius: .15rem; }
.mark.wait { color: var(--wait); background: none; border: 1px dashed currentColor; border-radius: 1rem; }
.struck { display: inline-block; font-size: .75rem; font-weight: 600; color: var(--wait);
  background: var(--wait-tint); border-radius: .2rem; padding: 0 .35rem; }
.scroll th > code { display: inline-block; min-width: 9.5rem; }
.scroll td > a { text-decoration: none; display: inline-block; vertical-align: top; min-width: 6rem; }
.scroll td > a:hover { text-decoration: underline; }
@media (max-width: 48rem) {
.wide { display: none; }
[data-rows], [data-rows] tbody { display: block; }
[data-rows] thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
[data-rows] tr { display: grid; grid-template-columns: minmax(0, 1fr) auto;
  gap: .15rem .8rem; padding: .5rem .4rem; border-top: 1px solid var(--line); }
[data-rows] tr > :not(.wide) { display: block; border: 0; padding: 0; }
[data-rows] tr > .end { grid-column: 2; } [data-rows] tr > :last-child { grid-row: 1; }
[data-rows] tr > .long { grid-column: 1 / -1; } [data-rows] .number { min-width: 0; }
}
@media (min-width: 75rem) {
[data-rows] { table-layout: fixed; } [data-rows] .end { width: 6.5rem; } [data-rows] .fit { width: 9rem; } [data-rows] .long { width: 38%; }
[data-rows=Orders] .end:not(:last-child) { width: 9.5rem; } [data-rows=Callbacks] .long { width: 24%; }
[data-rows=Requests] th:first-child { width: 26%; } [data-rows=Requests] .long { width: 34%; } [data-rows=Requests] .end { width: 5.5rem; }
[data-rows] td, [data-rows] td :is(time, .money) { white-space: normal; }
}
#waiting-rows { position: fixed; top: calc(var(--header) + .6rem); left: 50%; translate: -50% 0;
  z-index: 1; border-radius: 2rem; box-shadow: 0 .15rem .7rem rgb(0 0 0 / .35); white-space: nowrap; }
.strip dl { display: flex; flex-wrap: wrap; gap: .5rem 2rem; } .strip dl div { min-width: 0; }
.sides { display: grid; gap: 1rem; align-items: start; } @media (min-width: 64rem) { .sides { grid-template-columns: 1fr 1fr; } }
.narrow { max-width: 54rem; }
dl { margin: 0; display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1.2rem; }
dl > div { display: contents; } .strip dl > div { display: block; } dl.stacked { display: block; }
dl.stacked dd { margin-bottom: .5rem; } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
nav.line a { white-space: nowrap; margin-inline-end: .8rem; } nav.line p { margin: .6rem 0 0; }
`

const forms = `
form { margin: 0; } .stack { display: grid; gap: .6rem; }
.line, .actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; } .actions { gap: .8rem 1.2rem; }
.line > div { width: 12rem; } .after { margin: .6rem 0 1rem; } .pair { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; }
.filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 46%), 1fr)); gap: .6rem .7rem; align-items: end; }
.filters .sought { grid-column: span 2; } .filters .press { display: flex; gap: 1rem; align-items: center; }
label, legend { display: block; font-size: .75rem; font-weight: 600; color: var(--soft); margin-bottom: .15rem; }
input, select, textarea { font: inherit; min-height: 2.1rem; padding: .2rem .5rem; border: 1px solid var(--edge);
  border-radius: .35rem; background: var(--card); color: inherit; width: 100%; max-width: 100%; }
::placeholder { color: var(--soft); opacity: 1; }
button { font: inherit; font-weight: 600; min-height: 2.1rem; padding: .2rem .9rem; border-radius: .35rem;
  cursor: pointer; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); }
button.quiet { background: transparent; border-color: var(--edge); color: var(--ink); font-weight: 500; }
button.quiet:hover { background: var(--hover); } button.danger { background: transparent; color: var(--bad); border-color: var(--bad); }
[data-kind=paused] + button { background: var(--wait-tint); color: var(--wait); border-color: currentColor; }
.steps button { padding-inline: .55rem; min-height: 1.9rem; font-size: .8125rem; } .steps { gap: .3rem; }
.now { font-size: 1rem; font-variant-numeric: tabular-nums; margin-bottom: .5rem; }
fieldset { border: 1px solid var(--line); border-radius: .35rem; margin: 0; padding: .5rem .7rem; }
.choices { max-height: 19rem; overflow-y: auto; }
.choices > div { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 .5rem; align-items: center; padding: .25rem 0; }
.choices input { width: 1.25rem; min-height: 1.5rem; margin: 0; }
.choices label { margin: 0; color: var(--ink); } .choices p { grid-column: 2; margin: 0; font-size: .75rem; }
.presets { list-style: none; padding: 0; margin: 0; width: 100%; } .presets li { border-top: 1px solid var(--line); padding: .35rem 0; }
.presets button { text-align: start; width: 100%; min-height: 1.6rem; padding: 0 .2rem;
  border: 0; background: none; color: var(--accent); font-weight: 500; }
.presets button:hover { text-decoration: underline; } .presets button:focus-visible { outline-width: 2px; outline-offset: -2px; }
.presets p { margin: 0; padding: 0 .2rem; font-size: .75rem; } li > .soft { margin: .15rem 0 .3rem; font-size: .75rem; }
li button, .after button { min-height: 1.75rem; padding: .05rem .7rem; font-size: .8125rem; }
details > summary { cursor: pointer; } form + details { margin-top: .8rem; } details[open] > summary { margin-bottom: .5rem; }
dialog { border: 1px solid var(--line); border-radius: .5rem; background: var(--card); color: inherit; padding: 1.2rem 1.4rem; }
dialog::backdrop { background: rgb(0 0 0 / .45); } dialog dl { margin-bottom: 1rem; }
`

/** The style sheet of the dashboard. */
export const dashboardStyle = `${colours}${text}${frame}${lists}${forms}`

/** The style sheet of the story of an order. */
export const storyStyle = `
.story { list-style: none; margin: 0; padding: 0; }
.story > li { display: grid; grid-template-columns: 5.2rem 1.6rem minmax(0, 1fr); gap: 0 .5rem; padding: .4rem 0; position: relative; }
.story > li + li::before { content: ''; position: absolute; left: 6.45rem;
  top: -.75rem; height: 1.1rem; border-left: 2px solid var(--line); }
.story time { color: var(--soft); text-align: end; font-variant-numeric: tabular-nums; font-size: .8125rem; padding-top: .12rem; }
.story .sign { width: 1.6rem; height: 1.6rem; border-radius: 50%; display: grid; place-items: center;
  background: var(--card); border: 1px solid var(--line); color: var(--soft); font-size: .8125rem; z-index: 1; }
.story .ended .sign { border-color: currentColor; color: var(--ink); border-width: 2px; }
.story .fault .sign { color: var(--wait); border-color: currentColor; border-radius: .3rem; }
.story .callback .sign { border-radius: .3rem; } .story .clock { color: var(--soft); font-style: italic; }
.story p { margin: .1rem 0 0; overflow-wrap: anywhere; } .story details { margin: .3rem 0 .2rem; } .story .why { min-width: 0; }
.totals { grid-template-columns: minmax(0, 1fr) max-content; align-items: baseline; }
.totals dd { font-size: 1.125rem; font-weight: 650; font-variant-numeric: tabular-nums; text-align: end; }
.actions > li { margin-bottom: .9rem; } ul.actions { display: block; list-style: none; padding: 0; margin: 0; }
.title { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline; } .title .mark { font-size: 1.05rem; }
@media (max-width: 32rem) {
.story > li { grid-template-columns: 3.6rem 1.6rem minmax(0, 1fr); } .story > li + li::before { left: 4.85rem; }
}
`
