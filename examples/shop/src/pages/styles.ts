/** The shop's style sheet. */
export const styles = `
:root {
  --paper: #faf6ef; --card: #fffdf9; --ink: #22302f; --soft: #5d6b69; --line: #e4dccd; --accent: #2f6f73; --accent-ink: #fff;
  --clay: #e9dcc6; --rim: #d8c39b; --good: #2d6a45; --good-bg: #e3f0e6; --wait: #7a5613; --wait-bg: #f8ecd0;
  --bad: #8f2f2a; --bad-bg: #f8e2df; --info: #2b557f; --info-bg: #e1ebf5; --code: #f3ede2;
  --field: #fff; --field-line: #b9ae9a; --stage: linear-gradient(#f3eadb, #fbf6ec); --shadow: #22302f;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161b1b; --card: #1f2626; --ink: #e9e6df; --soft: #a5b0ae; --line: #36403f; --accent: #7cc4c6; --accent-ink: #0d1f20;
    --good: #9fd6b3; --good-bg: #1d3527; --wait: #f0cd86; --wait-bg: #3a2f16; --bad: #f4b1aa; --bad-bg: #412220;
    --info: #a9cdf0; --info-bg: #1f3145; --code: #161b1b; --field: #161b1b; --field-line: #596664;
    --stage: linear-gradient(#2a3130, #232a29); --shadow: #000;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 ui-rounded, 'Segoe UI', system-ui, sans-serif; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.wrap { max-width: 70rem; margin: 0 auto; padding: 0 1.25rem; }
header.site { border-bottom: 1px solid var(--line); background: var(--card); }
header.site .wrap { display: flex; align-items: baseline; gap: 1rem; padding-block: 1rem; }
header.site a.name { font: 600 1.35rem/1.2 Georgia, 'Iowan Old Style', serif; color: var(--ink); text-decoration: none; }
header.site span { color: var(--soft); font-size: .9rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
header.site a.name { white-space: nowrap; }
@media (max-width: 30rem) { header.site span { display: none; } }
footer.site { margin-top: 4rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .875rem; }
footer.site .wrap { padding-block: 1.25rem 2.5rem; }
h1, h2 { font-family: Georgia, 'Iowan Old Style', serif; font-weight: 600; line-height: 1.2; text-wrap: balance; }
h1 { font-size: clamp(1.75rem, 1.2rem + 2.4vw, 2.75rem); margin: 2.25rem 0 .5rem; }
h2 { font-size: 1.25rem; margin: 0 0 .75rem; }
.lead { color: var(--soft); max-width: 38rem; margin: 0 0 2rem; }
.shelf { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
  list-style: none; padding: 0; margin: 0; }
.product { display: flex; flex-direction: column; background: var(--card);
  border: 1px solid var(--line); border-radius: 1rem; overflow: hidden; }
.product .stage { background: var(--stage); padding: .75rem; display: flex; justify-content: center; }
.picture { width: 11rem; max-width: 100%; height: auto; }
.picture .shadow { fill: var(--shadow); opacity: .15; }
.product .body { padding: 1rem 1.15rem 1.15rem; display: flex; flex-direction: column; flex: 1; gap: .35rem; }
.product h2 { margin: 0; font-size: 1.15rem; display: flex; justify-content: space-between; gap: .75rem; }
.price { font-variant-numeric: tabular-nums; white-space: nowrap; font-family: inherit; }
.product p { margin: 0 0 .75rem; color: var(--soft); flex: 1; font-size: .95rem; }
.product p.here { flex: 0; margin: .35rem 0 0; font-size: .875rem; text-align: center; }
.buttons { display: flex; gap: .5rem; flex-wrap: wrap; }
button, .button { font: inherit; font-weight: 600; border: 1px solid var(--accent); background: var(--accent);
  color: var(--accent-ink); padding: .6rem 1rem; border-radius: .6rem; cursor: pointer; text-decoration: none; min-height: 2.75rem; }
.button { display: inline-block; }
button:hover, .button:hover { filter: brightness(1.08); }
button.quiet, .button.quiet { background: transparent; color: var(--accent); }
button.grow { flex: 1; }
.panel { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 1.25rem; }
.columns { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
@media (min-width: 56rem) { .columns { grid-template-columns: minmax(0, 4fr) minmax(0, 5fr); } }
.orderhead { display: flex; gap: 1rem; align-items: center; margin-top: 2rem; }
.orderhead > div { min-width: 0; } .orderhead .picture { width: clamp(4rem, 16vw, 6rem); flex: none; }
.orderhead h1 { margin: 0; display: inline; vertical-align: middle; } .orderhead .pill { vertical-align: middle; margin-left: .5rem; }
.orderhead p { margin: .15rem 0 0; color: var(--soft); }
.pill { display: inline-block; padding: .15rem .7rem; border-radius: 99px; font-size: .875rem; font-weight: 600; white-space: nowrap; }
.good { background: var(--good-bg); color: var(--good); } .wait { background: var(--wait-bg); color: var(--wait); }
.bad { background: var(--bad-bg); color: var(--bad); } .info { background: var(--info-bg); color: var(--info); }
.message { border-radius: .75rem; padding: .85rem 1.1rem; margin: 1.25rem 0; font-weight: 500; }
dl.totals { display: grid; grid-template-columns: repeat(auto-fit, minmax(5.25rem, 1fr)); gap: .75rem; margin: 1rem 0 0; }
dl.totals div { background: var(--paper); border-radius: .75rem; padding: .65rem clamp(.55rem, 2vw, .85rem); }
dl.totals dt { font-size: .8rem; color: var(--soft); }
dl.totals dd { margin: 0; font-weight: 650; font-variant-numeric: tabular-nums; font-size: 1.1rem; }
ol.timeline { list-style: none; margin: 0; padding: 0; }
ol.timeline li { position: relative; display: flex; gap: .15rem 1rem; justify-content: space-between;
  align-items: baseline; padding: .3rem 0 .3rem 1.25rem; overflow-wrap: anywhere; }
ol.timeline li::before { content: ''; position: absolute; left: 0; top: .75rem;
  width: .55rem; height: .55rem; border-radius: 50%; background: var(--line); }
ol.timeline li:not(:last-child)::after { content: ''; position: absolute;
  left: .23rem; top: 1.45rem; bottom: -.6rem; width: .1rem; background: var(--line); }
ol.timeline .is-good { color: var(--good); font-weight: 600; }
ol.timeline .is-bad { color: var(--bad); font-weight: 600; } ol.timeline .is-wait { color: var(--wait); font-weight: 600; }
ol.timeline :is(.is-good, .is-bad, .is-wait)::before { background: currentcolor; }
ol.timeline time { color: var(--soft); font-size: .8rem; font-weight: 400; font-variant-numeric: tabular-nums; white-space: nowrap; }
@media (max-width: 40rem) { ol.timeline li { display: block; } ol.timeline time { display: block; } }
.way { margin: 0 0 1.25rem; } .way form { display: contents; }
.actions { display: grid; gap: .75rem; }
.actions form { display: flex; gap: .5rem; align-items: end; flex-wrap: wrap; }
.actions label { display: grid; font-size: .85rem; color: var(--soft); gap: .2rem; flex: 1 1 8rem; }
.decision { display: grid; gap: .75rem; border: 1px solid var(--wait); border-radius: .75rem; padding: 1rem; margin-bottom: 1rem; }
.decision h3, .decision p { margin: 0; } .decision label { display: grid; font-size: .85rem; color: var(--soft); gap: .2rem; }
.actions button { flex: 0 0 7rem; } .actions button.wide { flex: 0 0 auto; }
input { font: inherit; padding: .55rem .7rem; border: 1px solid var(--field-line);
  border-radius: .6rem; background: var(--field); color: var(--ink); width: 100%; min-height: 2.75rem; }
.hint { color: var(--soft); font-size: .875rem; margin: .75rem 0 0; }
form.card { display: grid; gap: 1rem; max-width: 30rem; margin-top: 1.5rem; }
form.card .field { display: grid; gap: .25rem; align-content: start; } form.card label { font-size: .9rem; color: var(--soft); }
form.card .wrong { margin: 0; color: var(--bad); font-size: .875rem; font-weight: 600; }
form.card [aria-invalid] { border: 2px solid var(--bad); }
form.card .row { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .75rem; } form.card .hint { margin: 0; }
ul.latest { list-style: none; padding: 0; margin: 0; }
ul.latest li { padding: .5rem 0; border-bottom: 1px solid var(--line); display: flex; gap: .75rem; flex-wrap: wrap; align-items: center; }
ul.latest li:last-child { border: 0; } ul.latest .money { margin-left: auto; font-variant-numeric: tabular-nums; }
`
