/** The style sheet of the dashboard. Every pair of colours has a contrast of 4.5 to 1 or more. */
export const dashboardStyle = `
:root { --ink: #1b2530; --soft: #4d5a67; --line: #d3dae1; --paper: #f2f5f7; --card: #fff; --accent: #1d5a9e; --good: #17633a; --bad: #9c1f1f; --wait: #6b4b00; color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: .9375rem/1.45 system-ui, -apple-system, 'Segoe UI', sans-serif; }
a { color: var(--accent); } a:hover { text-decoration-thickness: 2px; }
.skip { position: absolute; left: -100rem; } .skip:focus { left: .5rem; top: .5rem; background: #fff; padding: .5rem; z-index: 1; }
header { background: #16232f; color: #fff; padding: .8rem clamp(.8rem, 3vw, 2rem); display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; align-items: center; }
header p { margin: 0; } header .name { font-size: 1.15rem; font-weight: 700; } header a { color: #fff; } header code { color: #dbe6f0; }
header .connection { margin-left: auto; display: flex; gap: .6rem; align-items: center; }
header button { background: transparent; border-color: #9fb3c6; color: #fff; min-height: 2rem; }
main { padding: clamp(.8rem, 2vw, 1.6rem) clamp(.8rem, 3vw, 2rem); display: grid; gap: 1.2rem; }
.columns { display: grid; gap: 1.2rem; align-items: start; } .columns > div, .columns > aside { display: grid; gap: 1.2rem; min-width: 0; }
@media (min-width: 64rem) { .columns { grid-template-columns: minmax(0, 1fr) 21rem; } }
section { background: var(--card); border: 1px solid var(--line); border-radius: .7rem; padding: 1rem 1.1rem; min-width: 0; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere; } h2 { font-size: 1.05rem; margin: 0 0 .6rem; } h3 { font-size: .9375rem; margin: 1rem 0 .3rem; }
p { margin: 0 0 .6rem; } .soft { color: var(--soft); } .empty { color: var(--soft); margin: 0 0 .4rem; }
.notice { border-left: .3rem solid var(--good); background: #e9f5ee; padding: .6rem .9rem; border-radius: .3rem; margin: 0; }
.problem { border-left: .3rem solid var(--bad); background: #fdecec; padding: .6rem .9rem; border-radius: .3rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; } tr:last-child > * { border-bottom: 0; }
th { font-size: .8125rem; color: var(--soft); font-weight: 650; white-space: nowrap; } tbody th { color: var(--ink); font-size: inherit; }
.scroll td > code { display: block; min-width: 12rem; } time { white-space: nowrap; } .why { min-width: 14rem; overflow-wrap: anywhere; }
code, pre { font: .8438rem/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { background: #f2f5f7; border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .8rem; margin: 0; white-space: pre-wrap; }
.mark { font-weight: 650; white-space: nowrap; } .mark.good { color: var(--good); } .mark.bad { color: var(--bad); } .mark.wait { color: var(--wait); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1rem; margin: 0; } dl.stacked { display: block; } dl.stacked dd { margin-bottom: .5rem; } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: .8rem 1.2rem; align-items: end; }
form { margin: 0; } .stack { display: grid; gap: .6rem; } .line { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
label { display: block; font-size: .8125rem; font-weight: 650; margin-bottom: .15rem; }
input, select { font: inherit; min-height: 2.4rem; padding: .3rem .5rem; border: 1px solid #8592a0; border-radius: .4rem; background: #fff; color: inherit; width: 100%; max-width: 100%; }
.line > div { width: 12rem; } .after { margin: .6rem 0 1rem; } .pair { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; }
button { font: inherit; font-weight: 650; min-height: 2.4rem; padding: .3rem .9rem; border-radius: .4rem; cursor: pointer; border: 1px solid var(--accent); background: var(--accent); color: #fff; }
button.quiet { background: transparent; color: var(--accent); } button.danger { background: transparent; color: var(--bad); border-color: var(--bad); }
:focus-visible { outline: 3px solid #4c94e0; outline-offset: 2px; }
td > a { white-space: nowrap; } .line > .wide { width: 16rem; } nav a { margin-inline-end: 1rem; white-space: nowrap; } form.line > a { align-self: center; }
fieldset { border: 1px solid var(--line); border-radius: .4rem; margin: 0; padding: .5rem .7rem; } legend { font-size: .8125rem; font-weight: 650; }
.choices { max-height: 19rem; overflow-y: auto; } .choices > div { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 .5rem; align-items: center; padding: .25rem 0; } .choices input { width: 1.25rem; min-height: 1.5rem; margin: 0; } .choices label { margin: 0; } .choices p { grid-column: 2; margin: 0; font-size: .8125rem; }
.presets { list-style: none; padding: 0; margin: 0; display: grid; gap: .5rem; width: 100%; } .presets button { text-align: start; width: 100%; } .presets p, li > .soft { margin: .15rem 0 .3rem; font-size: .8125rem; }
details > summary { cursor: pointer; } form + details { margin-top: .8rem; } details[open] > summary { margin-bottom: .5rem; } 
#waiting-rows { position: fixed; top: .6rem; left: 50%; translate: -50% 0; z-index: 2; border-radius: 2rem; box-shadow: 0 .2rem .8rem rgb(0 0 0 / .35); }
html { scroll-padding-top: 4rem; }
@media (prefers-reduced-motion: no-preference) { tr.new > * { animation: arrive 2s ease-out; } } @keyframes arrive { from { background: #fff3c4; background: light-dark(#fff3c4, #3d3413); } }
ul { margin: .3rem 0 0; padding-left: 1.1rem; }
`
