import { type Html, html } from '@tillkit/testing/gateway'

/** What the keys do; `?` shows it. */
export const keysDialog: Html = html`<dialog id="keys" aria-labelledby="keys-heading"><h2 id="keys-heading">Keys</h2>
<dl><dt><kbd>/</kbd></dt><dd>search; <kbd>Esc</kbd> leaves the search</dd>
<dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next and previous row</dd><dt><kbd>Enter</kbd></dt><dd>open it</dd>
<dt><kbd>n</kbd></dt><dd>put in the new rows that wait</dd><dt><kbd>p</kbd></dt><dd>pause, and resume</dd>
<dt><kbd>?</kbd></dt><dd>this</dd></dl>
<button type="button" id="keys-close">Close</button></dialog>`

/** The script of the keys. A key does nothing of this where somebody types. @param searchPage Address of a page with a search. */
export const keysScript = (searchPage: string): string => `
'use strict'
const keys = document.getElementById('keys')
document.getElementById('keys-close').addEventListener('click', () => keys.close())
document.addEventListener('keydown', event => {
  const at = document.activeElement
  if (event.key === 'Escape' && at.type === 'search') {
    event.preventDefault()
    at.blur()
  }
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName)) return
  if (event.key === '/') {
    event.preventDefault()
    const search = document.querySelector('input[type=search]')
    if (search) search.focus()
    else location.assign('${searchPage}#q')
  } else if (event.key === '?') {
    keys.showModal()
  } else if (event.key === 'n') {
    const waiting = document.getElementById('waiting-rows')
    if (waiting && !waiting.hidden) waiting.click()
  } else if (event.key === 'p') {
    const pause = document.getElementById('pause')
    if (pause) pause.click()
  } else if (event.key === 'j' || event.key === 'k') {
    const rows = [...document.querySelectorAll('tbody th a, .story a')]
    const is = relation => row => at.compareDocumentPosition(row) & relation
    const next = event.key === 'j' ? rows.find(is(4)) : rows.findLast(is(2))
    if (next || !rows.includes(at)) (next || rows[0])?.focus()
  }
})
`
