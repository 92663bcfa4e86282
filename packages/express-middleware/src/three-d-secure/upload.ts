/**
 * Uploads of results of 3DS: each one once.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { notify } from '@tillkit/protocol'
import { customerBrowser } from './pages/customer-browser.js'
import { noteDone, progressOf, type Standing, stepKey, type Visit } from './visit.js'

/** A result that the customer's browser brought. */
export type BrowserResult =
  | { readonly kind: 'challenge'; readonly cres: string }
  | { readonly kind: 'pares'; readonly paRes: string; readonly md: string | undefined }

/**
 * Uploads a CRes or a PaRes, if that is what status waits for. Anything else is left alone: a customer who reloads, or goes
 * back and comes again, brings what was uploaded before.
 */
export async function uploadBrowserResult(visit: Visit, result: BrowserResult, standing: Standing): Promise<void> {
  const { step, orderId } = standing
  if (step?.kind !== result.kind) return
  const { clientOrderId } = visit
  const { client } = visit.options
  await sendOnce(visit, {
    key: stepKey(step),
    name: step.upload,
    content: result.kind === 'challenge' ? result.cres : result.paRes,
    orderId,
    isOnlyOne: true,
    send: (ids, options) => {
      if (result.kind === 'challenge')
        return client.uploadCresResult({ ...ids, clientOrderId, cres: result.cres }, options)
      const { paRes, md } = result
      return client.uploadParesResult({ ...ids, clientOrderId, paRes, ...(md === undefined ? {} : { md }) }, options)
    },
  })
}

/** How a 3DS method went, and what it was. */
export interface MethodResult {
  readonly threeDSCompInd: 'Y' | 'N' | 'U'
  readonly threeDSServerTransId: string | undefined
}

/** Uploads how the 3DS method went, with the browser it went in. @returns Whether the gateway took it. */
export function uploadMethodResult(visit: Visit, result: MethodResult, standing: Standing): Promise<boolean> {
  const { threeDSCompInd, threeDSServerTransId } = result
  const browser = customerBrowser(visit.request)
  const fields = {
    browserAcceptHeader: browser.customerBrowserAcceptHeader,
    browserIp: browser.ipAddress,
    browserJavaEnabled: browser.customerBrowserJavaEnabled,
    browserJavascriptEnabled: browser.customerBrowserJavascriptEnabled,
    browserLanguage: browser.customerBrowserAcceptLanguage,
    browserColorDepth: browser.customerBrowserColorDepth,
    browserScreenHeight: browser.customerBrowserScreenHeight,
    browserScreenWidth: browser.customerBrowserScreenWidth,
    browserTimeZone: browser.customerBrowserTimeZone,
    browserUserAgent: browser.customerBrowserUserAgent,
  }
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const transaction = threeDSServerTransId === undefined ? {} : { threeDSServerTransId }
  return sendOnce(visit, {
    key: `method ${threeDSServerTransId ?? ''}`,
    name: 'uploadMethodUrlResult',
    content: `${threeDSCompInd} ${threeDSServerTransId ?? ''}`,
    orderId: standing.orderId,
    isOnlyOne: false,
    send: ({ orderId }, options) =>
      visit.options.client.uploadMethodUrlResult(
        { clientOrderId: visit.clientOrderId, orderId, threeDSCompInd, ...transaction, ...known },
        options,
      ),
  })
}

interface Sending {
  readonly key: string
  readonly name: string
  readonly content: string
  readonly orderId: string | undefined
  /** Whether there is no other result to try once this one was refused. */
  readonly isOnlyOne: boolean
  readonly send: (ids: { readonly orderId: string }, options: { readonly attemptId: string }) => Promise<unknown>
}

/** One result of a step, however often and however fast a browser brings it. */
function sendOnce(visit: Visit, sending: Sending): Promise<boolean> {
  const { uploads, clientOrderId } = visit
  const place = JSON.stringify([clientOrderId, sending.key])
  const underWay = uploads.get(place)
  if (underWay !== undefined) return underWay
  const uploading = send(visit, sending).finally(() => uploads.delete(place))
  uploads.set(place, uploading)
  return uploading
}

/**
 * Sends a result, unless that of its step was sent before. Where its outcome is unknown it is not sent again: status says
 * whether it arrived. One that never left is tried again while the customer waits, for it is lost afterwards.
 *
 * @returns Whether it was sent, or had been sent before.
 */
async function send(visit: Visit, sending: Sending): Promise<boolean> {
  const { clientOrderId, options, request, polling } = visit
  const { key, name, content, orderId, isOnlyOne } = sending
  const complain = (what: string, cause?: unknown) =>
    notify(() =>
      options.onProblem?.({ clientOrderId, explanation: `${name} of order ${clientOrderId} ${what}`, cause }, request),
    )
  if ((await progressOf(visit)).done.includes(key)) return true
  if (orderId === undefined) {
    complain("was not sent: the gateway's order id is not known.")
    return false
  }
  const attemptId = `${clientOrderId} ${name} ${digest(content)}`
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sending.send({ orderId }, { attemptId })
      await noteDone(visit, key)
      return true
    } catch (cause) {
      const { code } = (cause ?? {}) as { readonly code?: unknown }
      if (code === 'ERR_NOT_SENT' && attempt < polling.attempts) {
        await polling.wait(polling.interval)
        continue
      }
      const mayHaveArrived = code === 'ERR_OUTCOME_UNKNOWN' || code === 'ERR_ALREADY_SENT'
      // Going to the bank again would only bring the same result, which the gateway does not take.
      if (mayHaveArrived || (isOnlyOne && code !== 'ERR_NOT_SENT')) await noteDone(visit, key)
      if (code === 'ERR_ALREADY_SENT') return true
      complain('failed. Status says whether 3DS goes on.', cause)
      return false
    }
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)
