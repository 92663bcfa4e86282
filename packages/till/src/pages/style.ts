import { type Html, html } from './html.js'

/** The shapes that tell the subject of a page, beside its words: a page says nothing by colour alone. */
export const marks: { readonly [Mark in 'declined' | 'open' | 'again' | 'problem']: Html } = {
  declined: html`<svg class="mark bad" viewBox="0 0 48 48" aria-hidden="true">
<circle cx="24" cy="24" r="20"/><path d="m17 17 14 14m0-14L17 31"/></svg>`,
  open: html`<svg class="mark" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="20"/><path d="M24 13v11l7 5"/></svg>`,
  again: html`<svg class="mark care" viewBox="0 0 48 48" aria-hidden="true"><path d="M24 6 4 41h40zM24 19v10m0 6v.5"/></svg>`,
  problem: html`<svg class="mark care" viewBox="0 0 48 48" aria-hidden="true">
<circle cx="21" cy="21" r="15"/><path d="m32 32 11 11M21 14v8m0 6v.5"/></svg>`,
}

/** Rules of all pages. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1b2530; --soft: #566373; --paper: #f4f6f8;
  --card: #fff; --line: #d5dbe1; --accent: #23527c; --on-accent: #fff; }
@media (prefers-color-scheme: dark) {
:root { --ink: #e8edf2; --soft: #a5b1bd; --paper: #12171c; --card: #1c232a; --line: #36414c; --accent: #8fc1ee; --on-accent: #0e1b27; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', sans-serif; }
main { width: 100%; max-width: 27rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 1rem; padding: clamp(1.5rem, 6vw, 2.5rem); text-align: center; }
.shop { margin: 0 0 1.25rem; color: var(--soft); font-size: .925rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 .5rem; font-size: 1.3rem; line-height: 1.3; text-wrap: balance; }
p { margin: 0 0 1.25rem; color: var(--soft); text-wrap: pretty; }
p:last-child, p:has(+ iframe) { margin: 0; }
.busy { width: 2.25rem; height: 2.25rem; margin: 0 auto 1.25rem; border: .25rem solid var(--line);
  border-top-color: var(--accent); border-radius: 50%; animation: turn 1s linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .busy { animation-duration: 6s; } }
button, .button { display: block; width: 100%; min-height: 3rem; padding: .7rem 1rem; border: 1px solid transparent; border-radius: .65rem;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 650; text-decoration: none; cursor: pointer; }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px; }
iframe { display: none; }
`

/** Rules after those of all pages. */
export const tillStyle = `
:root { --bad: #b3261e; --care: #8a5300; }
@media (prefers-color-scheme: dark) { :root { --bad: #ffb4ab; --care: #f2c078; } }
.mark { display: block; width: 3rem; height: 3rem; margin: 0 auto 1rem; color: var(--soft);
  fill: none; stroke: currentColor; stroke-width: 3; stroke-linecap: round; stroke-linejoin: round; }
.mark.bad { color: var(--bad); }
.mark.care { color: var(--care); }
.facts { margin: 0 0 1.5rem; border-block: 1px solid var(--line); }
.facts div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .65rem 0; text-align: start; }
.facts div + div { border-top: 1px solid var(--line); }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; color: var(--ink); font-weight: 650; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
form { margin: 0; }
main > a, .contact a { color: var(--ink); text-underline-offset: .2em; overflow-wrap: anywhere; }
.back { display: inline-block; padding: .5rem .75rem; border-radius: .65rem; outline-offset: 0; }
form + .back, .button + .back, noscript + .back { margin-top: .9rem; }
a.button { color: var(--on-accent); }
.contact { overflow-wrap: anywhere; }
.contact a { display: inline-block; padding: .15rem 0; }
.contact b { color: var(--ink); }
`

/** How long a waiting page looks often, in looks; and its pauses between two of them before and after, in milliseconds. */
const [oftenLooks, oftenPause, seldomPause] = [30, 2_000, 15_000]

/**
 * Looks at the waiting page again, and goes on only where it would show something else. A page that reloads is read aloud anew
 * every time, and each reload would be one more step for the back button.
 */
export const watchScript = `(() => {
  const { watch } = document.querySelector('[data-watch]').dataset
  const contentOf = page => {
    // Read as text where scripts run, and as elements by the parser.
    page.querySelector('main noscript')?.remove()
    return page.querySelector('main')?.innerHTML
  }
  const shown = contentOf(document)
  const hasChanged = async () => {
    const answer = await fetch(watch, { redirect: 'manual', cache: 'no-store' })
    if (answer.type === 'opaqueredirect') return true
    if (!answer.ok) return false
    const content = contentOf(new DOMParser().parseFromString(await answer.text(), 'text/html'))
    return content !== undefined && content !== shown
  }
  let looks = 0
  const lookLater = () => setTimeout(look, looks < ${oftenLooks} ? ${oftenPause} : ${seldomPause})
  const look = async () => {
    looks += 1
    if (await hasChanged().catch(() => false)) location.replace(watch)
    else lookLater()
  }
  lookLater()
})()`
