import { connectScript } from './connect-script.js'
import { rowsScript } from './rows-script.js'

/**
 * The script of the dashboard: it hears that something changed, asks for the page again and puts in what is different. Reading
 * needs no script, and neither do the buttons.
 *
 * @param events Address of the server-sent events.
 */
export const dashboardScript = (events: string): string => `
'use strict'
const main = document.getElementById('content')
const connection = document.getElementById('connection')
const pause = document.createElement('button')
let paused = false
let ahead = 0
let asking = false
let stale = false
let letIn = false
let timer = 0
let ended = 0
let took = 0
function say(text, kind = 'live') {
  connection.dataset.kind = kind
  if (connection.textContent !== text) connection.textContent = text
}
function sayLive() { if (paused) say('Paused', 'paused'); else say('Live') }
function setClock(now) { ahead = now - Date.now() }
${rowsScript}
async function refresh() {
  clearTimeout(timer)
  timer = 0
  if (asking || (document.hidden && !letIn)) return
  asking = true
  stale = false
  const began = performance.now()
  try {
    const answer = await fetch(location.pathname + location.search, { cache: 'no-store' })
    if (answer.status === 404) return say('This is no longer there', 'lost')
    if (!answer.ok) throw new Error(answer.statusText)
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    setClock(Number(page.getElementById('connection').dataset.now))
    putIn(page)
    sayLive()
  } catch { say('The gateway does not answer', 'lost') } finally {
    asking = false
    letIn = false
    ended = performance.now()
    took = ended - began
    if (stale) changed()
  }
}
/* Asks again, but spends no more than a quarter of the time on it. */
function changed() {
  stale = true
  if (timer === 0 && !asking) timer = setTimeout(refresh, Math.max(0, ended + 3 * took - performance.now()))
}
pause.type = 'button'
pause.className = 'quiet'
pause.id = 'pause'
pause.textContent = 'Pause'
pause.addEventListener('click', () => {
  paused = !paused
  sayWaiting([])
  sayLive()
  changed()
})
connection.after(pause)
document.addEventListener('visibilitychange', () => { if (stale) refresh() })
new ResizeObserver(([{ target }]) => {
  document.documentElement.style.setProperty('--header', target.offsetHeight + 'px')
}).observe(document.querySelector('header'))
setClock(Number(connection.dataset.now))
tick()
setInterval(tick, 1000)
sayLive()
${connectScript(events)}`
