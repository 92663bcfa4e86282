import { createHash } from 'node:crypto'
import { notify } from '@tillkit/protocol'
import { customerBrowser, withoutUndefined } from './pages/customer-browser.js'
import { noteDone, progressOf, type Standing, type StepOf, stepKey, type Visit } from './visit.js'

/** A result that the customer's browser brought: a CRes, or a PaRes with its MD. */
export interface BrowserResult {
  readonly kind: 'challenge' | 'pares'
  readonly content: string
  readonly md: string | undefined
}

/**
 * Uploads a CRes or a PaRes, if that is what status waits for. Anything else is left alone: a customer who reloads, or goes
 * back and comes again, brings what was uploaded before.
 */
export async function uploadBrowserResult(visit: Visit, result: BrowserResult, standing: Standing): Promise<void> {
  const { step, orderId } = standing
  const { kind, content, md } = result
  if (step?.kind !== kind) return
  const { clientOrderId, options } = visit
  const send: Upload['send'] = (ids, attempt) =>
    kind === 'challenge'
      ? options.client.uploadCresResult({ ...ids, clientOrderId, cres: content }, attempt)
      : options.client.uploadParesResult(
          { ...ids, clientOrderId, paRes: content, ...(md === undefined ? {} : { md }) },
          attempt,
        )
  await uploadOnce(visit, { step, content, orderId, send })
}

/** Uploads how the 3DS method went, with the browser it went in. @returns Whether the gateway took it. */
export function uploadMethodResult(
  visit: Visit,
  { threeDSCompInd, step }: { readonly threeDSCompInd: 'Y' | 'N' | 'U'; readonly step: StepOf<'method'> },
  { orderId }: Standing,
): Promise<boolean> {
  const { threeDSServerTransId } = step
  const browser = customerBrowser(visit.request, visit.origin)
  const known = withoutUndefined({
    threeDSServerTransId,
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
  })
  const { clientOrderId, options } = visit
  return uploadOnce(visit, {
    step,
    content: `${threeDSCompInd} ${threeDSServerTransId ?? ''}`,
    orderId,
    send: (ids, attempt) =>
      options.client.uploadMethodUrlResult({ clientOrderId, ...ids, threeDSCompInd, ...known }, attempt),
  })
}

interface Upload {
  readonly step: StepOf<'method' | 'challenge' | 'pares'>
  readonly content: string
  readonly orderId: string | undefined
  readonly send: (ids: { readonly orderId: string }, options: { readonly attemptId: string }) => Promise<unknown>
}

/** One result of a step, however often and however fast a browser brings it. */
function uploadOnce(visit: Visit, upload: Upload): Promise<boolean> {
  const { uploads, clientOrderId } = visit
  const place = JSON.stringify([clientOrderId, stepKey(upload.step)])
  const underWay = uploads.get(place) ?? sendUpload(visit, upload).finally(() => uploads.delete(place))
  uploads.set(place, underWay)
  return underWay
}

/**
 * Sends a result, unless that of its step was sent before. Where its outcome is unknown it is not sent again: status says
 * whether it arrived. One that never left is tried again while the customer waits, for it is lost afterwards.
 *
 * @returns Whether it was sent, or had been sent before.
 */
async function sendUpload(visit: Visit, { step, content, orderId, send }: Upload): Promise<boolean> {
  const { clientOrderId, options, request, polling } = visit
  const [key, name] = [stepKey(step), step.upload]
  const complain = (what: string, cause?: unknown) =>
    notify(() =>
      options.onProblem?.({ clientOrderId, explanation: `${name} of order ${clientOrderId} ${what}`, cause }, request),
    )
  if ((await progressOf(visit)).progress.done.includes(key)) return true
  if (orderId === undefined) {
    complain("was not sent: the gateway's order id is not known.")
    return false
  }
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send({ orderId }, { attemptId: `${clientOrderId} ${name} ${digest}` })
      await noteDone(visit, key)
      return true
    } catch (cause) {
      const { code } = (cause ?? {}) as { readonly code?: unknown }
      if (code === 'ERR_NOT_SENT' && attempt < polling.attempts) {
        await polling.wait(polling.interval)
        continue
      }
      const mayHaveArrived = code === 'ERR_OUTCOME_UNKNOWN' || code === 'ERR_ALREADY_SENT'
      // Going to the bank again would only bring the same result, which the gateway does not take. Of a method there are others.
      if (mayHaveArrived || (step.kind !== 'method' && code !== 'ERR_NOT_SENT')) await noteDone(visit, key)
      if (code === 'ERR_ALREADY_SENT') return true
      complain('failed. Status says whether 3DS goes on.', cause)
      return false
    }
  }
}
