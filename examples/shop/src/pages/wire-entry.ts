/**
 * One line of "over the wire", which opens to what was sent, what was signed and what came back.
 *
 * @module
 */
import type { Exchange, SignedRequest } from '@tillkit/client'
import { defaultProfile, finalOutcome } from '@tillkit/protocol'
import type { CallbackEntry, WireEntry } from '../wire-log.js'
import { type Html, html } from './html.js'

/** Draws one entry. */
export function wireEntry(entry: WireEntry, index: number, all: readonly WireEntry[]): Html {
  const time = clockTime(entry.at, all[index - 1]?.at)
  return entry.kind === 'exchange' ? exchangeEntry(entry.exchange, time) : incomingEntry(entry, time)
}

const schemeNames = {
  control: 'control value',
  'oauth-hmac-sha1': 'OAuth HMAC-SHA1',
  'oauth-rsa-sha256': 'OAuth RSA-SHA256',
}

function exchangeEntry(exchange: Exchange, time: Html): Html {
  const { operation, path, scheme, fields, signed, httpStatus, reply, ending, error } = exchange
  return html`<details class="entry"><summary>
${time}<span class="what">→ ${operation}</span><span class="scheme">${schemeNames[scheme]}</span>
<span class="pill ${toneOf(exchange)}">${reply?.status === undefined ? ending : `${ending}: ${reply.status}`}</span></summary>
<div class="inside">
<div><h3>Request</h3><p><code>POST ${path}</code></p>${fieldTable(fields)}</div>
<div><h3>Signed</h3>${signedPart(signed)}</div>
<div><h3>Answer${httpStatus !== undefined && ` · HTTP ${httpStatus}`}</h3>
${reply !== undefined && fieldTable(Object.entries(reply))}${error !== undefined && html`<p dir="auto">${error.message}</p>`}</div>
</div></details>`
}

/** Green for what worked, amber for what is open, red for what was refused or declined. */
function toneOf({ ending, reply }: Exchange): 'good' | 'wait' | 'bad' {
  if (ending === 'refused' || ending === 'not-sent') return 'bad'
  if (ending === 'unknown' || ending === 'no-answer') return 'wait'
  if (reply?.status === undefined) return 'good'
  const outcome = finalOutcome(reply.status, defaultProfile)
  return outcome === undefined ? 'wait' : outcome === 'approved' ? 'good' : 'bad'
}

function signedPart({ items, baseString }: SignedRequest): Html {
  if (items !== undefined)
    return fieldTable([...items.map(({ name, value }) => [name, value] as const), ['control key', '(masked)']])
  return html`<pre>${baseString ?? ''}</pre>`
}

function incomingEntry(entry: CallbackEntry, time: Html): Html {
  const { verdict, explanation, parameters } = entry
  return html`<details class="entry"><summary>
${time}<span class="what">← callback</span><span class="scheme">control value</span>
<span class="pill ${verdict === 'verified' ? 'good' : 'bad'}">${verdict}</span></summary>
<div class="inside"><div><h3>Received</h3>${fieldTable(parameters)}</div><div><h3>Verdict</h3><p>${explanation}</p></div></div></details>`
}

function fieldTable(fields: Iterable<readonly [name: string, value: string]>): Html {
  return html`<table class="fields">${[...fields].map(([name, value]) => html`<tr><th scope="row">${name}</th><td dir="auto">${value}</td></tr>`)}</table>`
}

/** A time in UTC, with its day where that is another one than that of the time before. @param at Milliseconds since the epoch. */
export function clockTime(at: number, before?: number): Html {
  const iso = new Date(at).toISOString()
  const isSameDay = before !== undefined && new Date(before).toISOString().slice(0, 10) === iso.slice(0, 10)
  return html`<time datetime="${iso}" title="${iso}">${isSameDay ? '' : `${iso.slice(0, 10)} `}${iso.slice(11, 23)}</time>`
}
