/**
 * The style sheet of the pages that customers see between the shop and their bank.
 *
 * @module
 */

/** The style sheet. */
export const style = `
:root { color-scheme: light dark; --ink: #1b2530; --soft: #566373; --paper: #f4f6f8; --card: #fff; --line: #d5dbe1; --accent: #23527c; --on-accent: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8edf2; --soft: #a5b1bd; --paper: #12171c; --card: #1c232a; --line: #36414c; --accent: #8fc1ee; --on-accent: #0e1b27; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', sans-serif; }
main { width: 100%; max-width: 27rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: clamp(1.5rem, 6vw, 2.5rem); text-align: center; }
.shop { margin: 0 0 1.25rem; color: var(--soft); font-size: .925rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 .5rem; font-size: 1.3rem; line-height: 1.3; text-wrap: balance; }
p { margin: 0 0 1.25rem; color: var(--soft); text-wrap: pretty; }
p:last-child, p:has(+ iframe) { margin: 0; }
.busy { width: 2.25rem; height: 2.25rem; margin: 0 auto 1.25rem; border: .25rem solid var(--line); border-top-color: var(--accent); border-radius: 50%; animation: turn 1s linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .busy { animation-duration: 6s; } }
button, .button { display: block; width: 100%; min-height: 3rem; padding: .7rem 1rem; border: 0; border-radius: .65rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 650; text-decoration: none; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
iframe { display: none; }
`
