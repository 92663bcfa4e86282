/** The style sheet of the story of an order. */
export const storyStyle = `
.story { list-style: none; margin: 0; padding: 0; }
.story > li { display: grid; grid-template-columns: 5.2rem 1.6rem minmax(0, 1fr); gap: 0 .5rem; padding: .4rem 0; position: relative; }
.story > li + li::before { content: ''; position: absolute; left: 6.45rem; top: -.75rem; height: 1.1rem; border-left: 2px solid var(--line); }
.story time { color: var(--soft); text-align: end; font-variant-numeric: tabular-nums; font-size: .8125rem; padding-top: .12rem; }
.story .sign { width: 1.6rem; height: 1.6rem; border-radius: 50%; display: grid; place-items: center; background: var(--card); border: 1px solid var(--line); color: var(--soft); font-size: .8125rem; z-index: 1; }
.story .ended .sign { border-color: currentColor; color: var(--ink); border-width: 2px; }
.story .fault .sign { color: var(--wait); border-color: currentColor; border-radius: .3rem; }
.story .callback .sign { border-radius: .3rem; } .story .clock { color: var(--soft); font-style: italic; }
.story p { margin: .1rem 0 0; overflow-wrap: anywhere; } .story details { margin: .3rem 0 .2rem; } .story .why { min-width: 0; }
.totals { grid-template-columns: minmax(0, 1fr) max-content; align-items: baseline; } .totals dd { font-size: 1.125rem; font-weight: 650; font-variant-numeric: tabular-nums; text-align: end; }
.actions > li { margin-bottom: .9rem; } ul.actions { display: block; list-style: none; padding: 0; margin: 0; }
.title { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline; } .title .mark { font-size: 1.05rem; }
@media (max-width: 32rem) { .story > li { grid-template-columns: 3.6rem 1.6rem minmax(0, 1fr); } .story > li + li::before { left: 4.85rem; } }
`
