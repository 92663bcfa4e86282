/**
 * The script of the dashboard: it asks for the page again once a second and puts in what is different. Where somebody reads, lists wait
 * behind a button. Reading needs no script, and neither do the buttons.
 */
export const dashboardScript = `
'use strict'
const main = document.getElementById('content')
const connection = document.getElementById('connection')
const pause = document.createElement('button')
const waiting = document.createElement('button')
const announced = document.createElement('span')
const parts = () => [...document.querySelectorAll('[data-live]')]
const shown = new Map(parts().map(part => [part.id, part.outerHTML]))
let paused = false
let letIn = false
let ahead = 0
let timer = 0
function write(element, text) { if (element.textContent !== text) element.textContent = text }
function say(text, kind) {
  connection.dataset.kind = kind
  write(connection, text)
}
function sayLive() { if (paused) say('Paused', 'paused'); else say('Live', 'live') }
function setClock(now) { ahead = now - Date.now() }
function selected(part) {
  const selection = getSelection()
  return selection && !selection.isCollapsed && part.contains(selection.anchorNode)
}
function reading() {
  const at = document.activeElement
  return scrollY > 8 || selected(main) || Boolean(at && at.closest('[data-live] .scroll'))
}
function put(part, fresh) {
  const at = document.activeElement
  if (selected(part) || (part.contains(at) && /^(INPUT|SELECT)$/.test(at.tagName))) return
  const open = [...part.querySelectorAll('details[open]')].map(each => each.id)
  const wanted = part.contains(at) && { id: at.id, href: at.getAttribute('href'), text: at.textContent }
  shown.set(part.id, fresh.outerHTML)
  part.replaceChildren(...fresh.childNodes)
  for (const id of open) { const each = id && document.getElementById(id); if (each) each.open = true }
  if (!wanted) return
  const again = [...part.querySelectorAll('a, button, summary, [tabindex]')].find(each =>
    wanted.id ? each.id === wanted.id : each.getAttribute('href') === wanted.href && each.textContent === wanted.text)
  if (again) again.focus({ preventScroll: true })
}
function putIn(page) {
  const isRead = reading() && !letIn
  let isNew = false
  for (const part of parts()) {
    const fresh = page.getElementById(part.id)
    if (paused || !fresh || shown.get(part.id) === fresh.outerHTML) continue
    if (isRead && fresh.querySelector('[data-rows]')) isNew = true
    else put(part, fresh)
  }
  waiting.hidden = !isNew
  write(announced, isNew ? 'New rows wait. Press n to put them in.' : '')
  if (!letIn) return
  letIn = false
  const heading = main.querySelector('h1')
  heading.tabIndex = -1
  heading.focus()
  scrollTo({ top: 0 })
}
/* Spends no more than a quarter of the time on it. */
async function refresh() {
  const began = performance.now()
  try {
    const answer = document.hidden || await fetch(location.pathname + location.search, { cache: 'no-store' })
    if (answer.status === 404) say('This is no longer there', 'lost')
    else if (answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      setClock(Number(page.getElementById('connection').dataset.now))
      putIn(page)
      tick()
      sayLive()
    } else if (answer !== true) throw new Error(answer.statusText)
  } catch { say('The gateway does not answer', 'lost') }
  clearTimeout(timer)
  timer = setTimeout(refresh, Math.max(1000, 3 * (performance.now() - began)))
}
function ago(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 60) return seconds + ' s ago'
  if (seconds < 3600) return Math.floor(seconds / 60) + ' min ago'
  if (seconds < 86400) return Math.floor(seconds / 3600) + ' h ago'
  return Math.floor(seconds / 86400) + ' d ago'
}
/* Says times on the gateway's clock. A text that somebody selects stays. */
function tick() {
  if (selected(main)) return
  const now = Date.now() + ahead
  for (const time of document.querySelectorAll('time[data-ago]')) write(time, ago(now - Date.parse(time.dateTime)))
  for (const clock of document.querySelectorAll('[data-clock]')) write(clock, new Date(now).toISOString().slice(0, 19).replace('T', ' '))
}
Object.assign(pause, { type: 'button', className: 'quiet', id: 'pause', textContent: 'Pause' })
pause.addEventListener('click', () => {
  paused = !paused
  write(pause, paused ? 'Resume' : 'Pause')
  sayLive()
  refresh()
})
connection.after(pause)
Object.assign(waiting, { type: 'button', id: 'waiting-rows', textContent: 'New rows', hidden: true })
waiting.addEventListener('click', () => {
  letIn = true
  refresh()
})
announced.className = 'said'
announced.setAttribute('role', 'status')
main.prepend(waiting, announced)
document.addEventListener('visibilitychange', refresh)
new ResizeObserver(([{ target }]) => {
  document.documentElement.style.setProperty('--header', target.offsetHeight + 'px')
}).observe(document.querySelector('header'))
setClock(Number(connection.dataset.now))
tick()
setInterval(tick, 1000)
sayLive()
timer = setTimeout(refresh, 1000)
`
