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
export function wireEntry(entry: WireEntry): Html {
  return entry.kind === 'exchange' ? exchangeEntry(entry.exchange) : incomingEntry(entry)
}

const schemeNames = {
  control: 'control value',
  'oauth-hmac-sha1': 'OAuth HMAC-SHA1',
  'oauth-rsa-sha256': 'OAuth RSA-SHA256',
}

function exchangeEntry(exchange: Exchange): Html {
  const { operation, path, scheme, startedAt, fields, signed, httpStatus, reply, ending, error } = exchange
  return html`<details class="entry"><summary>
${clockTime(startedAt)}<span class="what">→ ${operation}</span><span class="scheme">${schemeNames[scheme]}</span>
<span class="pill ${toneOf(exchange)}">${reply?.status === undefined ? ending : `${ending}: ${reply.status}`}</span></summary>
<div class="inside">
<div><h3>Request</h3><p><code>POST ${path}</code></p>${fieldTable(fields)}</div>
<div><h3>Signed</h3>${signedPart(signed)}</div>
<div><h3>Answer${httpStatus !== undefined && ` · HTTP ${httpStatus}`}</h3>
${reply !== undefined && fieldTable(Object.entries(reply))}${error !== undefined && html`<p>${error.message}</p>`}</div>
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

function incomingEntry(entry: CallbackEntry): Html {
  const { at, verdict, explanation, parameters } = entry
  return html`<details class="entry"><summary>
${clockTime(at)}<span class="what">← callback</span><span class="scheme">control value</span>
<span class="pill ${verdict === 'verified' ? 'good' : 'bad'}">${verdict}</span></summary>
<div class="inside"><div><h3>Received</h3>${fieldTable(parameters)}</div><div><h3>Verdict</h3><p>${explanation}</p></div></div></details>`
}

function fieldTable(fields: Iterable<readonly [name: string, value: string]>): Html {
  return html`<table class="fields">${[...fields].map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</table>`
}

/** A time of day in UTC, from milliseconds since the epoch. */
export function clockTime(at: number): Html {
  const iso = new Date(at).toISOString()
  return html`<time datetime="${iso}">${iso.slice(11, 23)}</time>`
}
