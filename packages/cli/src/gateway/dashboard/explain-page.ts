import { type GatewayState, html, type WrittenAnswer } from '@tillkit/testing/gateway'
import { explainPasted } from '../../explain/explain-pasted.js'
import type { Explained } from '../../explain/explained.js'
import { explainedPart, pasteForm, type Typed, typedAgain } from '../signatures/explain-part.js'
import { writeSection } from './look/elements.js'
import { dashboardPage, explainAddress } from './look/layout.js'

/** The page to paste a request, a base string or a control value into. */
export function explainPage(gateway: GatewayState, typed?: Typed): WrittenAnswer {
  const explained = typed && explainTyped(typed, gateway)
  const another = explained === undefined ? 'Paste it' : 'Paste another'
  return dashboardPage({
    title: 'Explain a signature',
    at: 'explain',
    live: false,
    gateway,
    content: html`<h1>Explain a signature</h1>
${explained && explainedPart(explained)}
${writeSection('paste', another, pasteForm(explainAddress, typed && typedAgain(typed)))}`,
  })
}

/** Explains what was typed into the form, with the keys of the merchant who has its endpoint. */
function explainTyped(typed: Typed, gateway: GatewayState): Explained {
  const { text = '', theirs, operation, controlKey, publicKey } = typed
  const given = Object.entries(typed).flatMap(([name, value]) =>
    name.startsWith('item-') && value ? [[name.slice('item-'.length), value] as const] : [],
  )
  const { merchants, operations, profile } = gateway.settings
  return explainPasted({
    text,
    theirs,
    operation,
    items: Object.fromEntries(given),
    operations,
    keysOf(endpointId) {
      const only = merchants.length === 1 && endpointId === undefined ? merchants[0] : undefined
      const own = merchants.find(({ endpoints }) => endpoints.some(({ id }) => id === endpointId)) ?? only
      const known = own?.publicKey().export({ type: 'spki', format: 'pem' }).toString()
      return { profile, login: own?.login, publicKey: publicKey || known, controlKey: controlKey || own?.controlKey }
    },
  })
}
