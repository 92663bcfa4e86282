import { shortMasked } from '@tillkit/protocol'
import { sentence } from '../errors/messages.js'
import { said } from '../reply/judge-answer.js'
import type { AskedProbe } from './ask.js'
import type { CheckFinding } from './types.js'

/** Judges the address by the first answer. `undefined` when the gateway itself answered, so that asking on makes sense. */
export function addressWrong(probe: AskedProbe): CheckFinding | undefined {
  const { answer, httpStatus = 0 } = probe
  if (answer === 'not-sent' || answer === 'broke-off') return connectionProblem(probe)
  const isRecord = probe.error === undefined || probe.error.received !== undefined
  if (isRecord && (httpStatus === 404 || httpStatus === 405)) {
    return wrong(`A gateway answered that it has no such path.${said(probe)} Check the path prefix of "baseUrl".`)
  }
  if (isRecord && answer !== 'unreadable') return undefined
  return pageProblem(probe, isRecord)
}

/** What answered is no gateway, or not the gateway. */
function pageProblem({ httpStatus = 0, message = '' }: AskedProbe, isRecord: boolean): CheckFinding {
  const what = sentence(shortMasked(message, 600))
  if (httpStatus >= 300 && httpStatus < 400) {
    return wrong('The answer is a redirect, and a signed request is never redirected. Give the final address.')
  }
  if (httpStatus === 407 || httpStatus === 401 || httpStatus === 403) {
    return unsure(
      `Something refused with HTTP ${httpStatus}, not in the gateway’s words: ` +
        `a proxy, a firewall (is this machine’s address registered?), or the gateway itself. ${what}`,
    )
  }
  if (httpStatus >= 500 || httpStatus === 429)
    return unsure(`Something answered with HTTP ${httpStatus}, not in the gateway’s words. Ask again later. ${what}`)
  if (isRecord) return unsure(`The answer is written as a gateway’s and cannot be understood as one. ${what}`)
  return wrong(`This is not how a gateway answers. Check host and path prefix of "baseUrl", and proxies. ${what}`)
}

/** Why no answer came, by the code that Node.js or OpenSSL gave. Nothing but words depends on it. */
function connectionProblem({ error, answer, message = '' }: AskedProbe): CheckFinding {
  const cause = error?.cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const reason = cause instanceof Error ? sentence(shortMasked(cause.message, 300)) : sentence(message)
  if (code === 'ENOTFOUND') return wrong(`DNS does not know the host of "baseUrl". Check its spelling. ${reason}`)
  if (code === 'EAI_AGAIN') return unsure(`DNS does not answer on this machine. ${reason}`)
  if (code === 'ECONNREFUSED') return wrong(`Nothing listens at host and port of "baseUrl". ${reason}`)
  if (certificateCodes.has(code)) return wrong(`TLS: ${certificateCodes.get(code)} ${reason}`)
  if (/^(ERR_SSL|EPROTO|ERR_TLS)/.test(code)) {
    return wrong(
      `TLS could not be agreed on: is it https at that port, and is a client certificate asked for? ${reason}`,
    )
  }
  if (answer === 'broke-off')
    return unsure(
      'The connection broke off before a whole answer came. ' +
        `A gateway that asks for a client certificate and gets none ends it like this, too. ${reason}`,
    )
  return unsure(`No connection came about: a firewall, a proxy, or the gateway is down. ${reason}`)
}

/** @see The list of certificate errors in the documentation of `node:tls` */
const untrusted =
  'the certificate is not signed by an authority that this machine trusts. ' +
  'For a private CA hand over a dispatcher that knows it, or set NODE_EXTRA_CA_CERTS.'
const certificateCodes: ReadonlyMap<string, string> = new Map([
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another host than that of "baseUrl".'],
  ['CERT_HAS_EXPIRED', 'the certificate has expired, or the clock of this machine is wrong.'],
  ['CERT_NOT_YET_VALID', 'the certificate is not valid yet, or the clock of this machine is wrong.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', untrusted],
  ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', untrusted],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
])

const finding = (verdict: CheckFinding['verdict'], explanation: string): CheckFinding => ({
  subject: 'baseUrl',
  verdict,
  explanation: explanation.trim(),
})
const wrong = (explanation: string): CheckFinding => finding('wrong', explanation)
const unsure = (explanation: string): CheckFinding => finding('cannot-tell', explanation)
