/** The colours of the dashboard at night, after its style sheet. Every pair has a contrast of 4.5 to 1 or more. */
export const darkStyle = `
@media (prefers-color-scheme: dark) {
:root { --ink: #e6ebf0; --soft: #a9b6c2; --line: #33414e; --paper: #10171e; --card: #1a232c; --accent: #8ab8f0; --good: #7fd3a2; --bad: #ff9d95; --wait: #e6c069; color-scheme: dark; }
.skip:focus { background: #1a232c; } header { background: #0a1016; }
.notice { background: #16301f; } .problem { background: #3a1d1f; } pre { background: #10171e; }
input, select, textarea { background: #10171e; border-color: #6f7f8e; }
::placeholder { color: var(--soft); }
button { color: #0b1622; } button.quiet { color: var(--accent); } button.danger { color: var(--bad); } header button { color: #fff; }
}
`
