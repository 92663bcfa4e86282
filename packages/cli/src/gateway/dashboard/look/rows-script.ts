/**
 * The part of the script that puts in what has changed. Where somebody reads, new rows wait behind a button; rows that stand are
 * changed where they are.
 */
export const rowsScript = `
const shown = new WeakMap()
const waiting = document.createElement('button')
const announced = document.createElement('span')
const live = () => [...document.querySelectorAll('[data-live]')]
const rowsOf = part => [...part.querySelectorAll('tr[data-key]')]
function learn(part) { for (const each of [part, ...rowsOf(part)]) shown.set(each, each.outerHTML) }
live().forEach(learn)

function selected(part) {
  const selection = getSelection()
  return selection && !selection.isCollapsed && part.contains(selection.anchorNode)
}
function reading() {
  const at = document.activeElement
  return !atTop() || selected(main) || Boolean(at && at.closest('[data-live] .scroll'))
}
function put(part, fresh) {
  const at = document.activeElement
  if (selected(part) || (part.contains(at) && /^(INPUT|SELECT)$/.test(at.tagName))) return
  const open = [...part.querySelectorAll('details[open]')].map(each => each.id)
  const wanted = part.contains(at) && { id: at.id, href: at.getAttribute('href'), text: at.textContent }
  shown.set(part, fresh.outerHTML)
  part.replaceChildren(...fresh.childNodes)
  rowsOf(part).forEach(learn)
  for (const id of open) { const each = id && document.getElementById(id); if (each) each.open = true }
  if (!wanted) return
  const again = [...part.querySelectorAll('a, button, summary, [tabindex]')].find(each =>
    wanted.id ? each.id === wanted.id : each.getAttribute('href') === wanted.href && each.textContent === wanted.text)
  if (again) again.focus({ preventScroll: true })
}
/* Returns the rows that were put in, or that wait. While paused, the rows that stand wait as well. */
function merge(part, fresh, wait) {
  const body = part.querySelector('tbody')
  const standing = new Map(rowsOf(part).map(row => [row.dataset.key, row]))
  const added = []
  let at = body && body.firstElementChild
  for (const row of rowsOf(fresh)) {
    const there = standing.get(row.dataset.key)
    standing.delete(row.dataset.key)
    if (there && !paused && shown.get(there) !== row.outerHTML) put(there, row)
    if (!there) added.push(row)
    if (wait) continue
    if (there && there === at) at = at.nextElementSibling
    else body.insertBefore(there || row, at)
    if (there) continue
    learn(row)
    row.classList.add('new')
  }
  if (!wait) for (const row of standing.values()) row.remove()
  return added
}
const atTop = () => scrollY <= 8
/* The list that somebody reads: it has the focus, or is the last one that begins in the upper third of the window. */
function readList() {
  const lists = live().filter(part => part.querySelector('[data-rows]'))
  const at = lists.find(part => part.contains(document.activeElement))
  return at || (!atTop() && lists.findLast(part => part.getBoundingClientRect().top < innerHeight / 3)) || lists[0]
}
/* Goes to the heading of a list, which holds no row back. Above the first list is the top of the page. */
function goToHeading(part) {
  const isFirst = part === live().find(each => each.querySelector('[data-rows]'))
  const heading = part.closest('section').querySelector('h2') || main.querySelector('h1')
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  if (isFirst || atTop()) scrollTo({ top: 0 })
  else heading.scrollIntoView()
}
function putIn(page) {
  const wait = paused || (reading() && !letIn)
  const counts = []
  const read = letIn && !wait && readList()
  for (const part of live()) {
    const fresh = page.getElementById(part.id)
    const table = fresh && fresh.querySelector('[data-rows]')
    if (table && (wait || part.querySelector('[data-rows]'))) {
      const { length } = merge(part, fresh, wait)
      if (length > 0) counts.push({ title: table.dataset.rows, length, more: length === rowsOf(fresh).length })
    } else if (fresh && !paused && shown.get(part) !== fresh.outerHTML) put(part, fresh)
  }
  tick()
  sayWaiting(wait ? counts : [])
  if (read) goToHeading(read)
}
/* While paused, the button that resumes counts the new rows. */
function sayWaiting(counts) {
  const total = counts.reduce((sum, { length }) => sum + length, 0)
  const news = total + (counts.some(({ more }) => more) ? '+' : '') + ' new'
  const each = counts.length > 1 ? ': ' + counts.map(({ title, length }) => length + ' ' + title.toLowerCase().slice(0, length === 1 ? -1 : undefined)).join(', ') : ''
  const hidden = paused || total === 0
  if (hidden) announced.textContent = ''
  else if (waiting.hidden) announced.textContent = 'New rows wait. Press n to put them in.'
  waiting.hidden = hidden
  waiting.textContent = news + each
  write(pause, !paused ? 'Pause' : total === 0 ? 'Resume' : 'Resume, ' + news)
}
waiting.type = 'button'
waiting.id = 'waiting-rows'
waiting.hidden = true
waiting.addEventListener('click', () => {
  letIn = true
  stale = true
  refresh()
})
announced.className = 'said'
announced.setAttribute('role', 'status')
main.prepend(waiting, announced)

function ago(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 60) return seconds + ' s ago'
  if (seconds < 3600) return Math.floor(seconds / 60) + ' min ago'
  if (seconds < 86400) return Math.floor(seconds / 3600) + ' h ago'
  return Math.floor(seconds / 86400) + ' d ago'
}
function write(element, text) { if (element.textContent !== text) element.textContent = text }
/* Says times on the gateway's clock. A text that somebody selects stays. */
function tick() {
  if (selected(main)) return
  const now = Date.now() + ahead
  for (const time of document.querySelectorAll('time[data-ago]')) write(time, ago(now - Date.parse(time.dateTime)))
  for (const clock of document.querySelectorAll('[data-clock]')) write(clock, new Date(now).toISOString().slice(0, 19).replace('T', ' '))
}
`
