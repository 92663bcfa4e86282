/**
 * Messages of 3DS that travel through the customer's browser. Their shapes come from EMV 3-D Secure (CReq, CRes, method data)
 * and from 3-D Secure 1.0.2 (PaReq, PaRes); the interface specification shows none of them.
 *
 * @module
 */
import { deflateSync, inflateSync } from 'node:zlib'

/** An object as JSON in Base64url without padding, the encoding of the messages of 3DS 2. */
export const writeMessage = (message: Readonly<Record<string, string>>): string =>
  Buffer.from(JSON.stringify(message)).toString('base64url')

/** Reads such a message. @returns undefined when the text is no such message. */
export function readMessage(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const message: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return typeof message === 'object' && message !== null && !Array.isArray(message)
      ? (message as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}

/** XML, deflated and in Base64, the encoding of the messages of 3DS 1.0.2. */
const writeXml = (xml: string): string => deflateSync(xml).toString('base64')

/** Largest message of 3DS 1.0.2 after inflating, in bytes. */
const largestXml = 1_000_000

/** Reads such a message. @returns undefined when the text is no such message. */
export function readXml(text: string): string | undefined {
  try {
    return inflateSync(Buffer.from(text, 'base64'), { maxOutputLength: largestXml }).toString('utf8')
  } catch {
    return undefined
  }
}

/** The CReq that status shows and the merchant's page posts. */
export const creqOf = (serverTransId: string): string =>
  writeChallenge('CReq', serverTransId, { challengeWindowSize: '05' })

export const cresOf = (serverTransId: string, passed: boolean): string =>
  writeChallenge('CRes', serverTransId, { challengeCompletionInd: 'Y', transStatus: passed ? 'Y' : 'N' })

const writeChallenge = (messageType: string, serverTransId: string, also: Readonly<Record<string, string>>): string =>
  writeMessage({
    threeDSServerTransID: serverTransId,
    acsTransID: `acacacac${serverTransId.slice(8)}`,
    messageType,
    messageVersion: '2.2.0',
    ...also,
  })

/** The PaReq that status shows and the merchant's page posts. The same every time, so that it can be compared. */
export const pareqOf = (serverTransId: string): string => writePayerMessage('PAReq', serverTransId)

export const paresOf = (serverTransId: string, passed: boolean): string =>
  writePayerMessage('PARes', serverTransId, `<TX><status>${passed ? 'Y' : 'N'}</status></TX>`)

const writePayerMessage = (name: string, serverTransId: string, also = ''): string =>
  writeXml(
    `<ThreeDSecure><Message id="${serverTransId}"><${name}><version>1.0.2</version>` +
      `<Purchase><xid>${xidOf(serverTransId)}</xid></Purchase>${also}</${name}></Message></ThreeDSecure>`,
  )

/** Transaction id of 3DS 1.0.2: twenty bytes in Base64. */
export const xidOf = (serverTransId: string): string =>
  Buffer.from(serverTransId.replaceAll('-', '').slice(0, 20)).toString('base64')
