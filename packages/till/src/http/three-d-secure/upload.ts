import { createHash } from 'node:crypto'
import { customerBrowser } from '@tillkit/express-middleware/core'
import type { TdsMethodUrlResultRequest } from '@tillkit/protocol'
import { present } from '../../state/values.js'
import { polling } from '../visits.js'
import { noteDone, type Standing, type StepOf, stepKey, track, type UploadEnd, type Visit } from './visit.js'

/** A result that the customer's browser brought: a CRes, or a PaRes with its MD. */
export interface BrowserResult {
  readonly kind: 'challenge' | 'pares'
  readonly content: string
  readonly md: string | undefined
}

/**
 * Uploads a CRes or a PaRes, if that is what status waits for. Anything else is left alone: a customer who reloads, or goes back and comes
 * again, brings what was uploaded before.
 */
export async function uploadBrowserResult(visit: Visit, result: BrowserResult, standing: Standing): Promise<void> {
  const { step, orderId } = standing
  const { kind, content, md } = result
  if (step?.kind !== kind) return
  const {
    clientOrderId,
    account: { client },
  } = visit
  const send: Upload['send'] = (ids, attempt) =>
    kind === 'challenge'
      ? client.uploadCresResult({ ...ids, clientOrderId, cres: content }, attempt)
      : client.uploadParesResult({ ...ids, clientOrderId, paRes: content, ...present({ md }) }, attempt)
  await uploadOnce(visit, { step, content, orderId, send })
}

/** Uploads how the 3DS method went, with the browser it went in. */
export function uploadMethodResult(
  visit: Visit,
  { threeDSCompInd, step }: { readonly threeDSCompInd: 'Y' | 'N' | 'U'; readonly step: StepOf<'method'> },
  { orderId }: Standing,
): Promise<UploadEnd> {
  const { clientOrderId, account } = visit
  const { threeDSServerTransId } = step
  const fields = { clientOrderId, threeDSCompInd, ...browserOf(visit), ...present({ threeDSServerTransId }) }
  return uploadOnce(visit, {
    step,
    content: `${threeDSCompInd} ${threeDSServerTransId ?? ''}`,
    orderId,
    send: (ids, attempt) => account.client.uploadMethodUrlResult({ ...fields, ...ids }, attempt),
  })
}

/** The customer's browser, by the names that the upload has for it. */
function browserOf({ request, origin }: Visit): Partial<TdsMethodUrlResultRequest> {
  const browser = customerBrowser(request, origin)
  return present({
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
}

interface Upload {
  readonly step: StepOf<'method' | 'challenge' | 'pares'>
  readonly content: string
  readonly orderId: string | undefined
  readonly send: (ids: { readonly orderId: string }, options: { readonly attemptId: string }) => Promise<unknown>
}

/** Uploads one result of a step, however often and however fast a browser brings it. */
function uploadOnce(visit: Visit, upload: Upload): Promise<UploadEnd> {
  const { uploads, clientOrderId } = visit
  const place = JSON.stringify([clientOrderId, stepKey(upload.step)])
  const underWay = uploads.get(place) ?? sendUpload(visit, upload).finally(() => uploads.delete(place))
  uploads.set(place, underWay)
  return underWay
}

/**
 * Sends a result, unless that of its step was sent before. A result whose outcome is unknown is not sent again: status says whether it
 * arrived. A result that never left is tried again while the customer waits, for it is lost afterwards.
 *
 * Before its first byte the request itself is written down, under the id of this very content: another process, or this one after a crash,
 * does not send it again, even if nobody noted that the step is done.
 */
async function sendUpload(visit: Visit, { step, content, orderId, send }: Upload): Promise<UploadEnd> {
  const { clientOrderId, warn, wait } = visit
  const [key, name] = [stepKey(step), step.upload]
  const complain = (what: string, cause?: unknown) =>
    warn('WARN_3D_SECURE_STUCK', {
      explanation: `${name} of order ${clientOrderId} ${what}`,
      ...(cause === undefined ? {} : { cause }),
    })
  if ((await track(visit, () => ({}))).progress.done.includes(key)) return 'taken'
  if (orderId === undefined) {
    complain("was not sent: the gateway's order id is not known.")
    return 'open'
  }
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  for (let attempt = 1; ; attempt += 1) {
    const cause = await send({ orderId }, { attemptId: `${clientOrderId} ${name} ${digest}` }).then(
      () => undefined,
      (error: unknown) => error ?? new Error('It failed, and said nothing.'),
    )
    const code = cause === undefined ? undefined : (cause as { readonly code?: unknown }).code
    if (cause === undefined || code === 'ERR_ALREADY_SENT') {
      await noteDone(visit, key)
      return 'taken'
    }
    if (code === 'ERR_NOT_SENT' && attempt < polling.attempts) {
      await wait(polling.interval)
      continue
    }
    complain('failed. Status says whether 3DS goes on.', cause)
    const isUnknown = code === 'ERR_OUTCOME_UNKNOWN'
    // Going to the bank again would only bring the same result, which the gateway does not take. Of a method there are others.
    if (isUnknown || (step.kind !== 'method' && code !== 'ERR_NOT_SENT')) await noteDone(visit, key)
    return isUnknown ? 'unknown' : 'open'
  }
}
