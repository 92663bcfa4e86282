/**
 * The part of the script that listens. A browser opens six connections to a server and no more, so one tab listens and tells the
 * others; when it is closed, another one does. What hears nothing for twenty seconds asks by itself.
 */
export const connectScript = (events: string): string => `
const name = 'tillkit-gateway-events'
const tabs = 'BroadcastChannel' in window ? new BroadcastChannel(name) : undefined
let heard = 0
let source
function hear({ kind, now }) {
  heard = kind === 'lost' ? 0 : Date.now()
  if (now) setClock(now)
  if (kind === 'changed') changed()
}
function tell(kind, event) {
  const said = { kind, now: Number(event && event.data) || 0 }
  hear(said)
  if (tabs) tabs.postMessage(said)
}
function listen() {
  if (!('EventSource' in window)) return
  source = new EventSource('${events}')
  source.addEventListener('message', event => tell('changed', event))
  source.addEventListener('beat', event => tell('beat', event))
  source.addEventListener('error', () => tell('lost'))
}
if (tabs) tabs.addEventListener('message', ({ data }) => hear(data))
if (tabs && navigator.locks) navigator.locks.request(name, () => new Promise(listen))
else listen()
setInterval(() => {
  if (Date.now() - heard < 20000) return
  if (source && source.readyState === 2) listen()
  refresh()
}, 3000)
`
