import type { ResolvedSigning } from '@tillkit/protocol'
import type { Settings } from '../config/settings.js'
import { describeClock, noticeable, said } from '../reply/judge-answer.js'
import type { AskedProbe } from './ask.js'
import type { CheckFinding, CheckSubject, CheckVerdict } from './types.js'

type Scheme = ResolvedSigning['scheme']

/** The answers to one question, asked in different ways. */
export interface SchemeEvidence {
  readonly scheme: Scheme
  readonly ours: AskedProbe
  readonly wrongKey: AskedProbe
  /** Asked where the key alone explains nothing. */
  readonly unknownLogin?: AskedProbe | undefined
}

export interface Evidence {
  /** Why nothing more was asked: the address does not lead to the gateway. */
  readonly address?: CheckFinding
  readonly answers: readonly SchemeEvidence[]
  /** One question, asked of our endpoint and of one that does not exist. */
  readonly endpoint?: { readonly ours: AskedProbe; readonly unknown: AskedProbe } | undefined
}

/**
 * The error code with which status answered for an order that cannot exist. It is told from other refusals: another endpoint and another
 * key are refused in other ways.
 *
 * @returns undefined where the answers do not prove one.
 */
export function neverSeenIn({ answers, endpoint }: Evidence): string | undefined {
  const asked = answers.find(({ scheme }) => scheme === 'control')
  if (asked === undefined || !isProven(asked) || asked.ours.answer !== 'refused') return undefined
  if (endpoint === undefined || compared(endpoint.ours, endpoint.unknown) !== 'different') return undefined
  return endpoint.ours.scheme === 'control' ? asked.ours.errorCode : undefined
}

type Keys = Pick<Settings, 'controlKey' | 'privateKey'>

/**
 * Draws conclusions, one for each subject, and concludes nothing that the answers do not prove.
 *
 * A gateway has no "yes, you are who you say". What proves a key is that the same question with another key is answered
 * differently; what shows a wrong one is that it is refused just like another key, for a login that is known to be right.
 */
export function judge(evidence: Evidence, keys: Keys): readonly CheckFinding[] {
  const { address, answers } = evidence
  if (answers.length === 0) return nothingAsked(address, keys)
  return [
    addressFinding(answers),
    clockFinding(answers),
    endpointFinding(evidence),
    loginFinding(answers),
    keyFinding('controlKey', keys, answers),
    keyFinding('privateKey', keys, answers),
  ]
}

function nothingAsked(address: CheckFinding | undefined, keys: Keys): readonly CheckFinding[] {
  const isKeyless = keys.controlKey === undefined && keys.privateKey === undefined
  const why = isKeyless
    ? 'There is neither a "controlKey" nor a "privateKey" to ask with.'
    : 'No scheme was left to ask with.'
  const rest = address === undefined ? why : '"baseUrl" comes first.'
  const others = (['clock', 'endpoint', 'login', 'controlKey', 'privateKey'] as const).map(subject =>
    finding(subject, 'not-checked', rest),
  )
  return [address ?? finding('baseUrl', 'not-checked', why), ...others]
}

/** Answers that a gateway gives on purpose. Only these say something by being equal or different. */
const isDeliberate = ({ answer, isSteady = false }: AskedProbe): boolean =>
  isSteady && (answer === 'record' || answer === 'refused' || answer === 'authentication-refused')

const isRefusal = (probe: AskedProbe): boolean => isDeliberate(probe) && probe.answer !== 'record'

/** What the answer to a question with something wrong in it says about ours: nothing, unless it is refused on purpose. */
function compared(ours: AskedProbe, wrong: AskedProbe | undefined): 'alike' | 'different' | 'nothing' {
  if (wrong === undefined || !isDeliberate(ours) || !isRefusal(wrong)) return 'nothing'
  return ours.comparable === wrong.comparable ? 'alike' : 'different'
}

const isRefused = ({ ours }: SchemeEvidence): boolean => ours.answer === 'authentication-refused'

/** The gateway took our signature: it went past it, and another key is refused otherwise. */
const isProven = (each: SchemeEvidence): boolean =>
  !isRefused(each) && compared(each.ours, each.wrongKey) === 'different'

/** The gateway refused our signature as it refuses another key. */
const isRefusedAlike = (each: SchemeEvidence): boolean =>
  isRefused(each) && compared(each.ours, each.wrongKey) === 'alike'

/** A login that does not exist is answered otherwise than ours. */
const knowsLogin = ({ ours, unknownLogin }: SchemeEvidence): boolean => compared(ours, unknownLogin) === 'different'

/** The gateway refused our signature as it refuses a login that does not exist, and another key otherwise. */
const isLoginRefused = (each: SchemeEvidence): boolean =>
  isRefused(each) &&
  compared(each.ours, each.unknownLogin) === 'alike' &&
  compared(each.ours, each.wrongKey) === 'different'

const isLoginProven = (answers: readonly SchemeEvidence[]): boolean =>
  answers.some(each => isProven(each) || knowsLogin(each))

/** A signature with the time in it was refused, and the time is off. */
const isClockSuspect = (each: SchemeEvidence): boolean =>
  each.scheme !== 'control' && isRefused(each) && Math.abs(each.ours.clockDifference ?? 0) >= noticeable

function addressFinding(answers: readonly SchemeEvidence[]): CheckFinding {
  const refused = answers.find(each => each.scheme === 'oauth-hmac-sha1' && isRefusedAlike(each))
  const isKeyRight = answers.some(each => each.scheme === 'control' && isProven(each))
  if (refused === undefined || !isKeyRight || isClockSuspect(refused)) {
    return finding('baseUrl', 'ok', 'The gateway answers there.')
  }
  return finding(
    'baseUrl',
    'cannot-tell',
    'The gateway answers there, takes control values, and refuses HMAC-SHA1 under the same key. Such a signature covers ' +
      `the address: does a proxy change host or path? Or are these operations not enabled?${saidOf(refused.ours)}`,
  )
}

function clockFinding(answers: readonly SchemeEvidence[]): CheckFinding {
  const difference = answers.map(({ ours }) => ours.clockDifference).find(each => each !== undefined)
  if (difference === undefined) return finding('clock', 'cannot-tell', 'The answers carry no Date header.')
  if (Math.abs(difference) < noticeable) return finding('clock', 'ok', describeClock(difference))
  const timed = answers.filter(({ scheme }) => scheme !== 'control')
  const isTaken = timed.length > 0 && timed.every(isProven)
  return isTaken
    ? finding('clock', 'ok', `${describeClock(difference)} The gateway tolerates it.`)
    : finding('clock', 'wrong', describeClock(difference))
}

function endpointFinding({ endpoint }: Evidence): CheckFinding {
  if (endpoint === undefined) return finding('endpoint', 'not-checked', 'Login and keys come first.')
  const { ours, unknown } = endpoint
  if (compared(ours, unknown) === 'different') {
    return finding('endpoint', 'ok', 'An endpoint that does not exist is answered differently.')
  }
  return finding(
    'endpoint',
    'cannot-tell',
    `An endpoint that does not exist is answered alike: it is wrong, or the gateway looked at something else first.${saidOf(ours)}`,
  )
}

function loginFinding(answers: readonly SchemeEvidence[]): CheckFinding {
  if (isLoginProven(answers)) {
    const how = answers.some(isProven)
      ? 'A signature in its name was accepted.'
      : 'One that does not exist is answered differently.'
    return finding('login', 'ok', how)
  }
  const wrong = answers.find(each => isLoginRefused(each) && !isClockSuspect(each))
  if (wrong !== undefined) {
    const why = 'It is refused like a login that does not exist, and a wrong key is refused otherwise.'
    return finding('login', 'wrong', `${why}${saidOf(wrong.ours)}`)
  }
  const [first] = answers
  const why = answers.some(isRefused)
    ? 'Every signature is refused, and so is one in the name of a login that does not exist: ' +
      `the login is wrong, or ${answers.length > 1 ? 'every key' : 'the key'} is, ` +
      'or all of it belongs to another environment than "baseUrl".'
    : 'A wrong login or key makes no difference to the answer: the gateway looked at something else first.'
  return finding('login', 'cannot-tell', `${why}${first === undefined ? '' : saidOf(first.ours)}`)
}

function keyFinding(key: keyof Keys, keys: Keys, all: readonly SchemeEvidence[]): CheckFinding {
  const answers = all.filter(({ scheme }) => (scheme === 'oauth-rsa-sha256') === (key === 'privateKey'))
  const [first] = answers
  if (keys[key] === undefined) return finding(key, 'not-checked', `There is no "${key}".`)
  if (first === undefined) return finding(key, 'not-checked', 'No scheme that uses it was asked for.')
  const refused = answers.filter(each => isRefusedAlike(each) && !isClockSuspect(each))
  if (answers.some(isProven)) {
    const isControlRefused = refused.some(({ scheme }) => scheme === 'control')
    if (!isControlRefused) return finding(key, 'ok', 'A signature with it was accepted, one with another key refused.')
    return finding(
      key,
      'cannot-tell',
      'HMAC-SHA1 with it was accepted and the control value refused: is the wire profile right (controlEncoding, ' +
        `controlField)?${saidOf(refused[0]?.ours)}`,
    )
  }
  if (refused.length > 0 && isLoginProven(all)) {
    return finding(
      key,
      'wrong',
      `It is refused like a key that was made up, and the login is right.${ownCure[key]}${saidOf(refused.at(-1)?.ours)}`,
    )
  }
  if (answers.some(isClockSuspect))
    return finding(key, 'cannot-tell', `Set the clock right first.${saidOf(first.ours)}`)
  if (answers.some(isLoginRefused)) return finding(key, 'ok', 'A signature with another key is refused differently.')
  if (all.some(isLoginRefused)) return finding(key, 'cannot-tell', 'Correct the login first.')
  const why = isRefused(first)
    ? 'The signature was refused, for the key or for the login.'
    : 'Another key makes no difference to the answer, so that it proves nothing.'
  return finding(key, 'cannot-tell', `${why}${saidOf(first.ours)}`)
}

const ownCure = {
  controlKey: ' Copy it again from the gateway’s merchant page; test and production have their own.',
  privateKey:
    ' Does the gateway have the public half of this very pair? Test and production have their own; compare the fingerprints.',
}

function saidOf(probe: AskedProbe | undefined): string {
  if (probe?.httpStatus === undefined) return ''
  return said(probe) || ` It answered HTTP ${probe.httpStatus}.`
}

const finding = (subject: CheckSubject, verdict: CheckVerdict, explanation: string): CheckFinding => ({
  subject,
  verdict,
  explanation,
})
