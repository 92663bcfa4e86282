/**
 * The script of the dashboard: it asks for the page again every second and puts in what has changed. Reading needs no script,
 * and neither do the buttons.
 */
export const dashboardScript = `
'use strict'
const state = document.getElementById('connection')
const shown = new Map([...document.querySelectorAll('[data-live]')].map(part => [part.id, part.innerHTML]))
let paused = false
const pause = document.createElement('button')
pause.type = 'button'
pause.textContent = 'Pause'
pause.setAttribute('aria-pressed', 'false')
pause.addEventListener('click', () => {
  paused = !paused
  pause.setAttribute('aria-pressed', String(paused))
  say(paused ? 'Paused' : 'Live')
})
state.after(pause)
function say(text) { if (state.textContent !== text) state.textContent = text }
say('Live')

function busy(part) {
  const selection = getSelection()
  const typing = part.contains(document.activeElement) && /^(INPUT|SELECT)$/.test(document.activeElement.tagName)
  return typing || (selection && !selection.isCollapsed && part.contains(selection.anchorNode))
}
function replace(part, fresh) {
  const open = [...part.querySelectorAll('details[open]')].map(each => each.id)
  const focused = part.contains(document.activeElement) ? document.activeElement : null
  const wanted = focused && { id: focused.id, href: focused.getAttribute('href'), text: focused.textContent }
  shown.set(part.id, fresh.innerHTML)
  part.replaceChildren(...fresh.childNodes)
  for (const id of open) { const each = id && document.getElementById(id); if (each) each.open = true }
  if (!wanted) return
  const again = [...part.querySelectorAll('a, button, summary')].find(each =>
    wanted.id ? each.id === wanted.id : each.getAttribute('href') === wanted.href && each.textContent === wanted.text)
  if (again) again.focus({ preventScroll: true })
}
async function refresh() {
  if (paused || document.hidden) return
  try {
    const answer = await fetch(location.pathname + location.search, { cache: 'no-store' })
    if (answer.status === 404) return say('This is no longer there')
    if (!answer.ok) throw new Error(answer.statusText)
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    for (const part of document.querySelectorAll('[data-live]')) {
      const fresh = page.getElementById(part.id)
      if (fresh && shown.get(part.id) !== fresh.innerHTML && !busy(part)) replace(part, fresh)
    }
    if (!paused) say('Live')
  } catch { say('The gateway does not answer') }
}
async function follow() {
  await refresh()
  setTimeout(follow, 1000)
}
setTimeout(follow, 1000)
`
