/** The style of signatures, after the style sheet of the dashboard. Where that is light only, this is too. */
export const signatureStyle = `
.compared { table-layout: fixed; } .compared th:first-child { width: 30%; }
.compared tbody th { white-space: normal; overflow-wrap: anywhere; }
.compared td code { white-space: pre-wrap; }
.compared .wrong > * { background: var(--bad-tint, #fdecec); }
.compared .wrong > th { border-left: .3rem solid var(--bad); padding-left: .5rem; }
.differs { color: var(--bad); font-weight: 700; }
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.compared mark { background: none; color: inherit; border-bottom: 2px dashed var(--bad); }
.compared .first mark { background: #9c1f1f; background: light-dark(#9c1f1f, #ffb3ad);
  color: #fff; color: light-dark(#fff, #2a0b0b); font-weight: 700; border: 2px solid currentColor; border-radius: .2rem; padding: 0 .1rem; }
.first-difference { margin: .6rem 0; font-weight: 650; overflow-wrap: anywhere; }
.fix { border-left: .3rem solid var(--good); padding: .1rem .9rem; overflow-wrap: anywhere; }
.compared { margin-bottom: .8rem; } .fix { margin-bottom: .8rem; }
.copyable { display: grid; grid-template-columns: 1fr auto auto; align-items: center; gap: .4rem 0; margin-top: .9rem; }
.copyable .soft:not(:empty) { margin-inline-start: .7rem; } .copyable h3 { margin: 0; } .copyable pre { grid-column: 1 / -1; }
.copyable pre { user-select: all; -webkit-user-select: all; max-height: 24rem; overflow: auto; } .copyable .copy { min-height: 1.8rem; }
textarea { font: .8438rem/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; width: 100%; padding: .5rem;
  border: 1px solid #8592a0; border-radius: .4rem; background: inherit; color: inherit; resize: vertical; }
.unjudged { border-left: .3rem solid var(--wait); padding: .6rem .9rem; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
.compared, .compared tbody, .compared tr, .compared th, .compared td { display: block; }
.compared thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.compared th:first-child { width: auto; border: 0; padding-bottom: 0; } .compared td { border: 0; padding: .1rem .5rem; }
.compared tr { border-bottom: 1px solid var(--line); padding: .3rem 0; }
.compared td[data-side]::before { content: attr(data-side); display: inline-block;
  min-width: 4.5rem; color: var(--soft); font-size: .8125rem; }
}
`
